import type { Stats } from 'node:fs'
import { open, realpath, rename, stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { codeOf } from '@braidwork/core/internal'
import { HostError } from '@braidwork/plugin'
import { makeFile } from './make-file.ts'
import { fileFault, openFile } from './named-file.ts'

/**
 * Writes lines to standard output, or to the file that a person named. An earlier file of that name stays as it is
 * until the new one is complete.
 * @throws {HostError} OPTION_INVALID, and the errors of reading the lines
 */
export async function writeLines(
  lines: AsyncIterable<string>,
  file: string | undefined,
): Promise<void> {
  const from = Readable.from(lines)
  if (file === undefined) return pipeline(from, process.stdout, { end: false })
  const earlier = await earlierFile(file)
  if (earlier?.isRegular === false) {
    return pipeline(from, (await openFile(file, 'w')).createWriteStream())
  }
  // A symbolic link stays: the file that it leads to is replaced.
  await makeFile(earlier ? await realpath(file) : file, {
    write: (copy) => fill(copy, from, { file, mode: earlier?.mode }),
    publish: (copy, path) =>
      rename(copy, path).catch((cause: unknown) => {
        throw fileFault(file, 'w', cause)
      }),
  })
}

interface EarlierFile {
  /** False for a device or a pipe. */
  readonly isRegular: boolean
  readonly mode: number
}

/** @throws {HostError} OPTION_INVALID if the file may not be written */
async function earlierFile(file: string): Promise<EarlierFile | undefined> {
  let found: Stats
  try {
    found = await stat(file)
  } catch (cause) {
    if (codeOf(cause) === 'ENOENT') return undefined
    throw fileFault(file, 'w', cause)
  }
  const isRegular = found.isFile()
  // Opening tells whether it may be written. A pipe may be opened once only: its reader sees the end of the first time.
  if (isRegular || found.isDirectory()) await (await openFile(file, 'a')).close()
  return { isRegular, mode: found.mode & 0o777 }
}

interface Target {
  /** The file as the person named it. */
  readonly file: string
  /** The rights of the earlier file, which the new one gets. */
  readonly mode: number | undefined
}

async function fill(copy: string, from: Readable, { file, mode }: Target): Promise<void> {
  const to = await open(copy, 'w')
  try {
    if (mode !== undefined) await to.chmod(mode)
    await pipeline(from, to.createWriteStream())
  } catch (cause) {
    throw HostError.is(cause) || codeOf(cause) === '' ? cause : fileFault(file, 'w', cause)
  } finally {
    await to.close()
  }
}
