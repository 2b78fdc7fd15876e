import { setImmediate as nextTurn } from 'node:timers/promises'

/** Texts of this length (in characters) or more are encoded piece by piece, yielding to the event loop in between. */
const LONG = 512 * 1024
/** A body of at most this many characters stays a string; the HTTP client encodes it. */
const SHORT = 128 * 1024
/** The maximum number of UTF-8 bytes per UTF-16 code unit. */
const MOST_BYTES = 3

/** Serializes a request body as JSON. A long body becomes UTF-8 bytes, encoded without blocking the event loop. */
export async function writtenBody(body: unknown): Promise<string | Uint8Array> {
  const text = JSON.stringify(body)
  if (text.length <= SHORT) return text
  // A separate resizable buffer, because its memory is returned to the system. Other large buffers would keep twice
  // their size allocated.
  const whole = new ArrayBuffer(0, { maxByteLength: MOST_BYTES * text.length })
  for (let at = 0, end = 0; at < text.length; at = end) {
    if (text.length > LONG) await nextTurn()
    end = endOfPiece(text, at)
    append(whole, text.slice(at, end))
  }
  return Buffer.from(whole, 0, whole.byteLength)
}

function append(whole: ArrayBuffer, text: string): void {
  const at = whole.byteLength
  whole.resize(at + Buffer.byteLength(text))
  Buffer.from(whole, at).write(text)
}

/** The end of a piece, moved so that it does not split a surrogate pair. JSON contains no lone surrogates. */
function endOfPiece(text: string, from: number): number {
  const end = from + LONG
  const code = text.charCodeAt(end)
  return code >= 0xdc00 && code <= 0xdfff ? end + 1 : end
}
