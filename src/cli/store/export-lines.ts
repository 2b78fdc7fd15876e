import { createInterface } from 'node:readline'
import type { ExportMark, Storage, StoredRecord } from '@braidwork/agent'
import { ExportMarks, RecordReader } from '@braidwork/agent/internal'
import { HostError } from '@braidwork/plugin'
import { asSentence } from '@braidwork/plugin/internal'
import { jsonText } from '../characters.ts'

/**
 * Yields the lines of an export: `{"type":"export"}`, all stored records, and `{"type":"end"}` with their number, from
 * which an import knows that nothing is missing.
 */
export async function* exportLines(storage: Storage): AsyncGenerator<string> {
  yield `${jsonText({ type: 'export' })}\n`
  let records = 0
  for await (const record of storage.exportRecords()) {
    records++
    yield `${jsonText(record)}\n`
  }
  yield `${jsonText({ type: 'end', records })}\n`
}

/**
 * Checks an export as a whole.
 * @returns whether the export has a first and a last line that say so. Earlier versions did not write them.
 * @throws {HostError} REQUEST_INVALID, with the line number, or because records are missing
 */
export async function checkExport(input: NodeJS.ReadableStream): Promise<boolean> {
  const reader = new RecordReader()
  const marks = new ExportMarks()
  for await (const [number, value] of valuesIn(input)) {
    if (!marks.takes(value)) await checkLine(value, number, reader)
  }
  marks.assertEnded()
  reader.assertWhole()
  return marks.isMarked
}

/** Yields the values of the lines of an export. The storage that imports them checks them again. */
export async function* linesOf(
  input: NodeJS.ReadableStream,
): AsyncGenerator<ExportMark | StoredRecord> {
  for await (const [, value] of valuesIn(input)) yield value as ExportMark | StoredRecord
}

async function* valuesIn(
  input: NodeJS.ReadableStream,
): AsyncGenerator<readonly [number: number, value: unknown]> {
  let number = 0
  for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
    number++
    if (line.trim() !== '') yield [number, valueIn(line, number)]
  }
}

function valueIn(line: string, number: number): unknown {
  try {
    return JSON.parse(line)
  } catch (cause) {
    throw wrong(number, { message: 'it is not JSON', cause })
  }
}

async function checkLine(value: unknown, number: number, reader: RecordReader): Promise<void> {
  try {
    await reader.read(value)
  } catch (cause) {
    if (!HostError.is(cause)) throw cause
    throw wrong(number, { message: cause.message, pointer: cause.pointer ?? '', cause })
  }
}

interface Fault {
  readonly message: string
  readonly pointer?: string
  readonly cause: unknown
}

function wrong(number: number, { message, pointer = '', cause }: Fault): HostError {
  const place = pointer === '' ? '' : ` at ${pointer}`
  const text = `Line ${number} is wrong${place}: ${asSentence(message)}`
  return new HostError('REQUEST_INVALID', text, { pointer, cause })
}
