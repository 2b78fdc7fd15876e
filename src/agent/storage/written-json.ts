import { ownTurn } from '@braidwork/core/internal'

/** Texts of more characters than this count as long. */
const LONG = 1 << 20

/** A value as JSON text, with its size in UTF-8. */
export interface WrittenJson {
  readonly text: string
  readonly bytes: number
}

/** Serializes a value to JSON and measures it. Yields to the event loop if the text is long. */
export async function writtenJson(value: unknown): Promise<WrittenJson> {
  const text = JSON.stringify(value ?? null)
  const isLong = text.length > LONG
  if (isLong) await ownTurn()
  const bytes = bytesOf(text)
  if (isLong) await ownTurn()
  return { text, bytes }
}

/** The total size of texts in UTF-8, in bytes. Databases count the same. */
export function bytesOf(...texts: readonly (string | null | undefined)[]): number {
  return texts.reduce((sum, text) => sum + (text ? Buffer.byteLength(text) : 0), 0)
}
