import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { codeOf } from '@braidwork/core/internal'
import { EXIT } from './exit.ts'
import { fileFault, openFile } from './named-file.ts'
import { stopSignal } from './stop-signal.ts'

/** The two steps of making a file. */
export interface Making {
  /** Writes into an existing, empty file. */
  readonly write: (copy: string) => Promise<void>
  /** Gives the complete file its name. */
  readonly publish: (copy: string, file: string) => Promise<void>
}

/**
 * Makes a file that gets its name when it is complete and on the disk. Until then it is in a folder beside it, which an
 * error removes. So do SIGINT and SIGTERM, which end the process.
 * @returns the size of the file in bytes
 * @throws {HostError} OPTION_INVALID
 */
export async function makeFile(file: string, { write, publish }: Making): Promise<number> {
  const stopped = stopSignal()
  const folder = await folderBeside(file)
  const remove = () => rm(folder, { recursive: true, force: true })
  try {
    const copy = join(folder, 'copy')
    await (await openFile(copy, 'w')).close()
    const isStopped = await Promise.race([write(copy).then(() => false), stopped.then(() => true)])
    if (isStopped) {
      await remove()
      // Otherwise the writing would go on, for a database on a thread of its driver.
      process.exit(EXIT.interrupted)
    }
    const bytes = await flush(copy, file)
    await publish(copy, file)
    await flushFolder(dirname(file))
    return bytes
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

/** Returns when the data of a file is on the disk. @returns its size in bytes */
async function flush(copy: string, file: string): Promise<number> {
  const handle = await open(copy, 'r+')
  try {
    await handle.sync()
    return (await handle.stat()).size
  } catch (cause) {
    throw fileFault(file, 'w', cause)
  } finally {
    await handle.close()
  }
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
