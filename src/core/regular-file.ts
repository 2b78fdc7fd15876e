import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs'

/** Opening a pipe must not wait for a writer. */
const READ = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)

/**
 * The content of a file that somebody else may have put there; a link to one is followed. A pipe or a device could
 * keep whoever reads it waiting for ever, or never end.
 * @throws as `readFileSync` does, and where it is no regular file
 */
export function readRegularFile(path: string): Uint8Array {
  const file = openSync(path, READ)
  try {
    if (!fstatSync(file).isFile()) throw new Error('it is no regular file')
    return readFileSync(file)
  } finally {
    closeSync(file)
  }
}

/** The same, as text in UTF-8. @throws as `readRegularFile` does */
export function readRegularText(path: string): string {
  return textOf(readRegularFile(path))
}

export function textOf(content: Uint8Array): string {
  return Buffer.from(content.buffer, content.byteOffset, content.byteLength).toString('utf8')
}
