import { isUtf8 } from 'node:buffer'
import { closeSync, constants, fstatSync, openSync, readFileSync, readSync } from 'node:fs'

/** Without O_NONBLOCK, opening a pipe would wait for a writer. */
const READ = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)

/**
 * Reads a file that other programs may have put there; links are followed. Only regular files are read, because reading
 * a pipe or a device might block or never end.
 * @throws the errors of `readFileSync`, and an error if the path is not a regular file
 */
export function readRegularFile(path: string): Uint8Array {
  const file = openSync(path, READ)
  try {
    if (!fstatSync(file).isFile()) throw new Error('it is not a regular file')
    return readFileSync(file)
  } finally {
    closeSync(file)
  }
}

/**
 * Reads at most so many bytes of the beginning of a file as UTF-8 text, up to the end of a character.
 * @throws the errors of `readRegularFile`
 */
export function readRegularStart(
  path: string,
  most: number,
): { readonly text: string; readonly isCut: boolean } {
  const file = openSync(path, READ)
  try {
    if (!fstatSync(file).isFile()) throw new Error('it is not a regular file')
    const bytes = Buffer.alloc(most + 1)
    const length = readSync(file, bytes, 0, most + 1, 0)
    const isCut = length > most
    const content = bytes.subarray(0, Math.min(length, most))
    return { text: new TextDecoder().decode(content, { stream: isCut }), isCut }
  } finally {
    closeSync(file)
  }
}

/** Reads the file as UTF-8 text. @throws the errors of `readRegularFile` */
export function readRegularText(path: string): string {
  return textOf(readRegularFile(path))
}

/** Reads the file as UTF-8 text. @throws the errors of `readRegularFile` and `utf8Of` */
export function readUtf8Text(path: string): string {
  return utf8Of(readRegularFile(path))
}

/** The text of a file, which must be UTF-8 without zero bytes. @throws {Error} with the first line that is not */
export function utf8Of(content: Uint8Array): string {
  if (isUtf8(content) && !content.includes(0)) return textOf(content)
  let line = 1
  for (let start = 0; ; line++) {
    const end = content.indexOf(NEWLINE, start)
    const bytes = content.subarray(start, end < 0 ? content.length : end)
    if (end < 0 || !isUtf8(bytes) || bytes.includes(0)) break
    start = end + 1
  }
  throw new Error(`it is not text in UTF-8 (line ${line})`)
}

const NEWLINE = 10

/** The text of a file, with a replacement character for what is not UTF-8. */
export function textOf(content: Uint8Array): string {
  return Buffer.from(content.buffer, content.byteOffset, content.byteLength).toString('utf8')
}
