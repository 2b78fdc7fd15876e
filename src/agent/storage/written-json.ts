import { ownTurn } from '@braidwork/core/internal'
import { bytesOf } from './byte-length.ts'

/** Characters from which on a text is long. */
const LONG = 1 << 20

/** A value as it is stored. */
export interface WrittenJson {
  readonly text: string
  readonly bytes: number
}

/** The JSON of a value, and its bytes, with turns for all else where it is long. */
export async function writtenJson(value: unknown): Promise<WrittenJson> {
  const text = JSON.stringify(value ?? null)
  const isLong = text.length > LONG
  if (isLong) await ownTurn()
  const bytes = bytesOf(text)
  if (isLong) await ownTurn()
  return { text, bytes }
}
