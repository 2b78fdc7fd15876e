import type { Stats } from 'node:fs'
import { link, lstat, rename } from 'node:fs/promises'
import { codeOf } from '@braidwork/core/internal'
import { HostError } from '@braidwork/plugin'
import { withMessage } from '@braidwork/plugin/internal'
import { copyStorage } from '@braidwork/store/internal'
import { EXIT } from '../exit.ts'
import { makeFile } from '../make-file.ts'
import { fileFault } from '../named-file.ts'
import type { ConfigOptions } from '../options.ts'
import { configuredPlace } from '../server-store.ts'

/** The error codes of file systems that have no hard links. */
const NO_LINKS = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'])

/**
 * `braidwork store backup <file>`: copies an SQLite storage into a new file, also while a server uses it. The file
 * appears when the copy is complete, checked and on the disk. Until then the copy is in a folder beside it.
 */
export async function storeBackupCommand(file: string, options: ConfigOptions): Promise<number> {
  const place = await configuredPlace(options)
  await assertNew(file)
  try {
    const bytes = await makeFile(file, { write: (copy) => copyStorage(place, copy), publish })
    process.stdout.write(`${bytes} bytes written to ${file}\n`)
    return EXIT.ok
  } catch (error) {
    throw HostError.is(error) && error.code === 'STORAGE_FAILED'
      ? withMessage(error, `The backup "${file}" was not made. ${error.message}`)
      : error
  }
}

/** @throws {HostError} OPTION_INVALID */
async function assertNew(file: string): Promise<void> {
  let found: Stats
  try {
    found = await lstat(file)
  } catch (cause) {
    if (codeOf(cause) === 'ENOENT') return
    throw fileFault(file, 'w', cause)
  }
  const code = found.isDirectory() ? 'EISDIR' : 'EEXIST'
  throw fileFault(file, 'w', Object.assign(new Error(code), { code }))
}

/**
 * Gives the copy its name, unless something else took that name meanwhile.
 * @throws {HostError} OPTION_INVALID
 */
async function publish(copy: string, file: string): Promise<void> {
  try {
    await link(copy, file)
  } catch (cause) {
    if (!NO_LINKS.has(codeOf(cause))) throw fileFault(file, 'w', cause)
    await assertNew(file)
    await rename(copy, file)
  }
}
