import { constants, open } from 'node:fs/promises'
import { resolve } from 'node:path'
import { settingError } from './settings.ts'

/** Non-blocking, since opening a named pipe would otherwise wait for a writer. */
const READ = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)
const MOST_BYTES = 256 * 1024

/**
 * Reads the texts of the files, in order.
 * @throws SETTINGS_INVALID with a pointer to the path that cannot be read
 */
export async function readFiles(paths: readonly string[]): Promise<readonly string[]> {
  return Promise.all(paths.map((path, index) => readText(path, `/files/${index}`)))
}

async function readText(path: string, pointer: string): Promise<string> {
  const bytes = await readBytes(path).catch((error: unknown) => {
    throw settingError(pointer, `"${path}" ${reasonOf(error)}`, error)
  })
  if (bytes.length > MOST_BYTES) {
    throw settingError(pointer, `"${path}" is larger than ${MOST_BYTES / 1024} KB`)
  }
  return decode(bytes, () => settingError(pointer, `"${path}" is not UTF-8 text`)).trim()
}

/** Reads at most one byte more than allowed, so that a device or a huge file cannot fill the memory. */
async function readBytes(path: string): Promise<Buffer> {
  const file = await open(resolve(path), READ)
  try {
    const stats = await file.stat()
    if (!stats.isFile()) throw Object.assign(new Error('not a file'), { code: 'EISDIR' })
    const buffer = Buffer.alloc(MOST_BYTES + 1)
    const { bytesRead } = await file.read(buffer, 0, buffer.length, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}

function decode(bytes: Buffer, toError: () => Error): string {
  if (bytes.includes(0)) throw toError()
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw toError()
  }
}

const REASONS = new Map([
  ['ENOENT', 'does not exist'],
  ['EACCES', 'cannot be read: permission denied'],
  ['EISDIR', 'is not a file'],
])

function reasonOf(error: unknown): string {
  // Under jest, the errors of Node have other classes than those that this module knows.
  const { code }: { readonly code?: unknown } = Object(error)
  return REASONS.get(String(code)) ?? 'cannot be read'
}
