import { type FileHandle, mkdtemp, open, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import type { Storage } from '@braidwork/agent'
import type { Diagnostic } from '@braidwork/plugin'
import { EXIT, reportDiagnostics } from '../exit.ts'
import { openFile } from '../named-file.ts'
import type { ConfigOptions } from '../options.ts'
import { withStorage } from '../server-store.ts'
import { writeLines } from '../write-lines.ts'
import { checkExport, exportLines, linesOf } from './export-lines.ts'

/** How much of a file is read at once, in bytes. */
const PIECE = 1 << 16

const UNMARKED: Diagnostic = {
  code: 'EXPORT_UNMARKED',
  level: 'warning',
  message:
    'The export does not say how many records it has, because an earlier version wrote it. If it was cut, records are missing.',
}

/** `braidwork store export [file]`: writes all stored records, one line of JSON each. */
export async function storeExportCommand(
  file: string | undefined,
  options: ConfigOptions,
): Promise<number> {
  return withStorage(options, async (storage) => {
    await writeLines(exportLines(storage), file)
    return EXIT.ok
  })
}

/**
 * `braidwork store import [file]`: reads exported records; records that exist already stay unchanged. It reads the
 * export twice, so that it imports nothing of one that is wrong or cut.
 */
export async function storeImportCommand(
  file: string | undefined,
  options: ConfigOptions,
): Promise<number> {
  const handle = await inputOf(file)
  try {
    if (!(await checkExport(fromStart(handle)))) reportDiagnostics([UNMARKED])
    const act = async (storage: Storage) => {
      const count = await storage.importRecords(linesOf(fromStart(handle)))
      process.stdout.write(`${count} ${count === 1 ? 'record' : 'records'} imported\n`)
      return EXIT.ok
    }
    return await withStorage(options, act, { creates: true })
  } finally {
    await handle.close()
  }
}

/** `braidwork store compact`: frees the disk space of deleted records. */
export async function storeCompactCommand(options: ConfigOptions): Promise<number> {
  return withStorage(options, async (storage) => {
    await storage.compact()
    process.stdout.write('compacted\n')
    return EXIT.ok
  })
}

function fromStart(handle: FileHandle): NodeJS.ReadableStream {
  return Readable.from(piecesOf(handle), { objectMode: false })
}

/** A stream of the handle itself would keep it open after a wrong line. */
async function* piecesOf(handle: FileHandle): AsyncGenerator<Buffer> {
  for (let position = 0; ; ) {
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(PIECE), 0, PIECE, position)
    if (bytesRead === 0) return
    position += bytesRead
    yield buffer.subarray(0, bytesRead)
  }
}

/** Opens the input as a file that can be read twice. @throws {HostError} OPTION_INVALID */
async function inputOf(file: string | undefined): Promise<FileHandle> {
  if (file === undefined) return keptFrom(process.stdin)
  const handle = await openFile(file, 'r')
  if ((await handle.stat()).isFile()) return handle
  return keptFrom(handle.createReadStream())
}

/** Copies a stream into a file without a name, which ends with the process. */
async function keptFrom(input: Readable): Promise<FileHandle> {
  const folder = await mkdtemp(join(tmpdir(), 'braidwork-import-'))
  let handle: FileHandle
  try {
    handle = await open(join(folder, 'records'), 'wx+', 0o600)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
  try {
    await writeFile(handle, input)
    return handle
  } catch (error) {
    await handle.close()
    throw error
  }
}
