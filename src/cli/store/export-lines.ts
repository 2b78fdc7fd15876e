import { createInterface } from 'node:readline'
import type { Storage, StoredRecord } from '@braidwork/agent'
import { HostError, isObject } from '@braidwork/plugin'
import { asSentence } from '@braidwork/plugin/internal'
import { RecordReader } from '@braidwork/store/internal'
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
 * Reads the records of an export.
 * @returns whether the export has a first and a last line that say so. Earlier versions did not write them.
 * @throws {HostError} REQUEST_INVALID, with the line number, or because records are missing
 */
export async function* recordsIn(
  input: NodeJS.ReadableStream,
): AsyncGenerator<StoredRecord, boolean> {
  const reader = new RecordReader()
  const marks = new Marks()
  let number = 0
  for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
    number++
    if (line.trim() === '') continue
    const value = valueIn(line, number)
    if (!marks.takes(value)) yield await recordIn(value, number, reader)
  }
  marks.assertEnded()
  reader.assertWhole()
  return marks.isMarked
}

/** Counts the records between the first and the last line of an export. Several exports may follow each other. */
class Marks {
  isMarked = false
  #isOpen = false
  #records = 0

  /** Whether a value is a mark. @throws {HostError} REQUEST_INVALID for an end with another number of records */
  takes(value: unknown): boolean {
    const type = isObject(value) ? value['type'] : undefined
    if (type === 'export') {
      this.assertEnded()
      this.isMarked = true
      this.#isOpen = true
      this.#records = 0
    } else if (type === 'end' && isObject(value)) {
      if (!this.#isOpen || value['records'] !== this.#records) throw this.#cut()
      this.#isOpen = false
    } else {
      this.#records++
      return false
    }
    return true
  }

  /** @throws {HostError} REQUEST_INVALID */
  assertEnded(): void {
    if (this.#isOpen) throw this.#cut()
  }

  #cut(): HostError {
    const message = `The export is not complete: records are missing beside the ${this.#records} that were read. Export again, and import the whole file. Nothing was imported.`
    return new HostError('REQUEST_INVALID', message)
  }
}

function valueIn(line: string, number: number): unknown {
  try {
    return JSON.parse(line)
  } catch (cause) {
    throw wrong(number, { message: 'it is not JSON', cause })
  }
}

async function recordIn(
  value: unknown,
  number: number,
  reader: RecordReader,
): Promise<StoredRecord> {
  try {
    return await reader.read(value)
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
