import { type FileHandle, open } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Storage, StoredRecord } from '@braidwork/agent'
import { HostError } from '@braidwork/plugin'
import { asSentence, messageOf } from '@braidwork/plugin/internal'
import { RecordReader } from '@braidwork/store/internal'
import { jsonText } from './characters.ts'
import { EXIT } from './exit.ts'
import { type ConfigOptions, loadConfig } from './options.ts'
import { openStore } from './server-store.ts'

/** `braidwork store export [file]`: all that is stored, a line of JSON a record. */
export async function storeExportCommand(
  file: string | undefined,
  options: ConfigOptions,
): Promise<number> {
  return withStorage(options, async (storage) => {
    const lines = Readable.from(linesOf(storage))
    if (file === undefined) await pipeline(lines, process.stdout, { end: false })
    else await pipeline(lines, (await openFile(file, 'w')).createWriteStream())
    return EXIT.ok
  })
}

/** `braidwork store import [file]`: takes such lines over; what is there already stays as it is. */
export async function storeImportCommand(
  file: string | undefined,
  options: ConfigOptions,
): Promise<number> {
  return withStorage(options, async (storage) => {
    const input =
      file === undefined ? process.stdin : (await openFile(file, 'r')).createReadStream()
    const count = await storage.importRecords(recordsIn(input))
    process.stdout.write(`${count} ${count === 1 ? 'record' : 'records'} imported\n`)
    return EXIT.ok
  })
}

/** `braidwork store compact`: gives back the room of what was deleted. */
export async function storeCompactCommand(options: ConfigOptions): Promise<number> {
  return withStorage(options, async (storage) => {
    await storage.compact()
    process.stdout.write('compacted\n')
    return EXIT.ok
  })
}

async function withStorage(
  options: ConfigOptions,
  act: (storage: Storage) => Promise<number>,
): Promise<number> {
  const storage = await openStore(loadConfig({ ...options, walksUp: false }).config['server'])
  try {
    return await act(storage)
  } finally {
    await storage.close()
  }
}

/** What is wrong with a file, by the system's name of it, to be read or written. */
const FILE_FAULTS: { readonly [code: string]: Readonly<Record<'r' | 'w', string>> } = {
  ENOENT: { r: 'There is no such file', w: 'The folder is not there; make it first' },
  ENOTDIR: { r: 'There is no such file', w: 'The folder is a file; name another' },
  EISDIR: { r: 'It is a folder; name a file in it', w: 'It is a folder; name a file in it' },
  EACCES: { r: 'This user may not read it', w: 'This user may not write it' },
}

/** @throws {HostError} OPTION_INVALID */
async function openFile(file: string, mode: 'r' | 'w'): Promise<FileHandle> {
  try {
    const handle = await open(file, mode, 0o600)
    if (!(await handle.stat()).isDirectory()) return handle
    await handle.close()
    throw Object.assign(new Error('It is a folder'), { code: 'EISDIR' })
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
    const reason = FILE_FAULTS[code]?.[mode] ?? messageOf(cause)
    const verb = mode === 'r' ? 'read' : 'written'
    throw new HostError('OPTION_INVALID', `"${file}" cannot be ${verb}. ${reason}.`, { cause })
  }
}

async function* linesOf(storage: Storage): AsyncGenerator<string> {
  for await (const record of storage.exportRecords()) yield `${jsonText(record)}\n`
}

/** @throws {HostError} REQUEST_INVALID, with the number of the line */
async function* recordsIn(input: NodeJS.ReadableStream): AsyncGenerator<StoredRecord> {
  const reader = new RecordReader()
  let number = 0
  for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
    number++
    if (line.trim() !== '') yield await recordIn(line, number, reader)
  }
}

async function recordIn(line: string, number: number, reader: RecordReader): Promise<StoredRecord> {
  try {
    return await reader.read(JSON.parse(line))
  } catch (cause) {
    const { message, pointer = '' } = HostError.is(cause)
      ? cause
      : { message: 'it is no JSON', pointer: '' }
    const place = pointer === '' ? '' : ` at ${pointer}`
    const text = `Line ${number} is wrong${place}: ${asSentence(message)}`
    throw new HostError('REQUEST_INVALID', text, { pointer, cause })
  }
}
