import { createInterface } from 'node:readline'
import type { Storage, StoredRecord } from '@braidwork/agent'
import { HostError } from '@braidwork/plugin'
import { asSentence } from '@braidwork/plugin/internal'
import { RecordReader } from '@braidwork/store/internal'
import { jsonText } from '../characters.ts'
import { EXIT } from '../exit.ts'
import { openFile } from '../named-file.ts'
import type { ConfigOptions } from '../options.ts'
import { withStorage } from '../server-store.ts'
import { writeLines } from '../write-lines.ts'

/** `braidwork store export [file]`: writes all stored records, one line of JSON each. */
export async function storeExportCommand(
  file: string | undefined,
  options: ConfigOptions,
): Promise<number> {
  return withStorage(options, async (storage) => {
    await writeLines(linesOf(storage), file)
    return EXIT.ok
  })
}

/** `braidwork store import [file]`: reads exported records; records that exist already stay unchanged. */
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

/** `braidwork store compact`: frees the disk space of deleted records. */
export async function storeCompactCommand(options: ConfigOptions): Promise<number> {
  return withStorage(options, async (storage) => {
    await storage.compact()
    process.stdout.write('compacted\n')
    return EXIT.ok
  })
}

async function* linesOf(storage: Storage): AsyncGenerator<string> {
  for await (const record of storage.exportRecords()) yield `${jsonText(record)}\n`
}

/** Reads records from lines of JSON. @throws {HostError} REQUEST_INVALID, with the line number */
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
      : { message: 'it is not JSON', pointer: '' }
    const place = pointer === '' ? '' : ` at ${pointer}`
    const text = `Line ${number} is wrong${place}: ${asSentence(message)}`
    throw new HostError('REQUEST_INVALID', text, { pointer, cause })
  }
}
