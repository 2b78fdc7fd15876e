import { createReadStream, createWriteStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Storage, StoredRecord } from '../agent/storage/index.ts'
import { HostError } from '../errors.ts'
import { checkRecord } from '../store/check-record.ts'
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
    await (file === undefined
      ? pipeline(lines, process.stdout, { end: false })
      : pipeline(lines, createWriteStream(file, { mode: 0o600 })))
    return EXIT.ok
  })
}

/** `braidwork store import [file]`: takes such lines over; what is there already stays as it is. */
export async function storeImportCommand(
  file: string | undefined,
  options: ConfigOptions,
): Promise<number> {
  return withStorage(options, async (storage) => {
    const input = file === undefined ? process.stdin : createReadStream(file)
    const count = await storage.importRecords(recordsIn(input))
    process.stdout.write(`${count} ${count === 1 ? 'record' : 'records'} imported\n`)
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

async function* linesOf(storage: Storage): AsyncGenerator<string> {
  for await (const record of storage.exportRecords()) yield `${JSON.stringify(record)}\n`
}

/** @throws {HostError} REQUEST_INVALID, with the number of the line */
async function* recordsIn(input: NodeJS.ReadableStream): AsyncGenerator<StoredRecord> {
  let number = 0
  for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
    number++
    if (line.trim() !== '') yield await recordIn(line, number)
  }
}

async function recordIn(line: string, number: number): Promise<StoredRecord> {
  try {
    return await checkRecord(JSON.parse(line))
  } catch (cause) {
    const { message, pointer = '' } = HostError.is(cause)
      ? cause
      : { message: 'it is no JSON', pointer: '' }
    const place = pointer === '' ? '' : ` at ${pointer}`
    const text = `Line ${number} is wrong${place}: ${message}.`
    throw new HostError('REQUEST_INVALID', text, { pointer, cause })
  }
}
