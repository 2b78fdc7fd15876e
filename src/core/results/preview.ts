/** The most bytes that a preview shows of the beginning and of the end of a text. */
const BEGINNING = 4096
const END = 1024

/** A text in UTF-8 that is too long to be shown whole: its beginning, its end, and what is between them. */
export interface Preview {
  readonly beginning: string
  readonly end: string
  /** The offset in bytes at which the beginning ends. */
  readonly next: number
  /** The number of bytes between the beginning and the end. */
  readonly left: number
}

/** Makes the preview of a text in UTF-8 for a limit in bytes, which it does not reach. Characters stay whole. */
export function previewOf(bytes: Uint8Array, limit: number): Preview {
  const next = boundaryBefore(bytes, Math.min(BEGINNING, limit >> 2))
  const last = boundaryAfter(bytes, bytes.byteLength - Math.min(END, limit >> 3))
  return {
    beginning: textIn(bytes, 0, next),
    end: textIn(bytes, last, bytes.byteLength),
    next,
    left: last - next,
  }
}

/** The text of some bytes in UTF-8. */
export function textIn(bytes: Uint8Array, from: number, to: number): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8', from, to)
}

/** The nearest offset, from `at` downwards, at which a character of a text in UTF-8 begins. */
export function boundaryBefore(bytes: Uint8Array, at: number): number {
  let offset = Math.min(at, bytes.byteLength)
  while (offset > 0 && isContinuation(bytes[offset])) offset--
  return offset
}

/** The nearest offset, from `at` upwards, at which a character of a text in UTF-8 begins. */
export function boundaryAfter(bytes: Uint8Array, at: number): number {
  let offset = Math.min(Math.max(at, 0), bytes.byteLength)
  while (offset < bytes.byteLength && isContinuation(bytes[offset])) offset++
  return offset
}

/** RFC 3629: the bytes of a character after the first are 10xxxxxx. */
function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80
}
