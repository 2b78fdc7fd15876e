import { ExportMarks } from './export-marks.ts'
import { RecordReader } from './record-reader.ts'
import type { ExportMark, StoredRecord } from './records.ts'

type Given = ExportMark | StoredRecord

/**
 * Checks the records of an export, and yields them in the present format. A list is checked as a whole before its first
 * record is yielded.
 * @throws {HostError} REQUEST_INVALID
 */
export async function* readRecords(
  given: AsyncIterable<Given> | Iterable<Given>,
): AsyncGenerator<StoredRecord> {
  if (!Array.isArray(given)) {
    yield* checked(given)
    return
  }
  const records: StoredRecord[] = []
  for await (const record of checked(given)) records.push(record)
  yield* records
}

async function* checked(
  given: AsyncIterable<Given> | Iterable<Given>,
): AsyncGenerator<StoredRecord> {
  const reader = new RecordReader()
  const marks = new ExportMarks()
  for await (const value of given) if (!marks.takes(value)) yield await reader.read(value)
  marks.assertEnded()
  reader.assertWhole()
}
