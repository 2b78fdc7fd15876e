import type { Stats } from 'node:fs'
import { type FileHandle, link, lstat, mkdtemp, open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { codeOf } from '@braidwork/core/internal'
import { HostError } from '@braidwork/plugin'
import { withMessage } from '@braidwork/plugin/internal'
import { copyStorage } from '@braidwork/store/internal'
import { EXIT } from '../exit.ts'
import { fileFault, openFile } from '../named-file.ts'
import { type ConfigOptions, loadConfig } from '../options.ts'
import { storePlace } from '../server-store.ts'
import { stopSignal } from '../stop-signal.ts'

/** The error codes of file systems that have no hard links. */
const NO_LINKS = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'])

/**
 * `braidwork store backup <file>`: copies an SQLite storage into a new file, also while a server uses it. The file
 * appears when the copy is complete, checked and on the disk. Until then the copy is in a folder beside it.
 */
export async function storeBackupCommand(file: string, options: ConfigOptions): Promise<number> {
  const place = await storePlace(loadConfig({ ...options, walksUp: false }).config['server'])
  await assertNew(file)
  const folder = await folderBeside(file)
  const remove = () => rm(folder, { recursive: true, force: true })
  try {
    const copy = join(folder, 'copy')
    await (await openFile(copy, 'w')).close()
    const isStopped = await Promise.race([
      copyStorage(place, copy).then(() => false),
      stopSignal().then(() => true),
    ])
    if (isStopped) {
      await remove()
      // Otherwise the driver's thread would go on with the copy.
      process.exit(EXIT.interrupted)
    }
    const bytes = await flush(copy)
    await publish(copy, file)
    process.stdout.write(`${bytes} bytes written to ${file}\n`)
    return EXIT.ok
  } catch (error) {
    throw HostError.is(error) && error.code === 'STORAGE_FAILED'
      ? withMessage(error, `The backup "${file}" was not made. ${error.message}`)
      : error
  } finally {
    await remove()
  }
}

/** Creates a folder for a copy and its journal. @throws {HostError} OPTION_INVALID */
async function folderBeside(file: string): Promise<string> {
  try {
    return await mkdtemp(`${file}.partial-`)
  } catch (cause) {
    throw fileFault(file, 'w', cause)
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

/** Returns when the data of a file is on the disk. @returns its size in bytes */
async function flush(file: string): Promise<number> {
  const handle = await open(file, 'r+')
  try {
    await handle.sync()
    return (await handle.stat()).size
  } catch (cause) {
    throw fileFault(file, 'w', cause)
  } finally {
    await handle.close()
  }
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
  await flushFolder(dirname(file))
}

/** The errors of systems that cannot open or flush a folder. They put names on the disk themselves. */
const NO_FOLDERS = new Set(['EINVAL', 'EPERM', 'EISDIR', 'EACCES'])

/** Puts the name of a new file on the disk. */
async function flushFolder(folder: string): Promise<void> {
  let handle: FileHandle | undefined
  try {
    handle = await open(folder, 'r')
    await handle.sync()
  } catch (cause) {
    if (!NO_FOLDERS.has(codeOf(cause))) throw fileFault(folder, 'w', cause)
  } finally {
    await handle?.close()
  }
}
