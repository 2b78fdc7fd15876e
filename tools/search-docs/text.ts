/** The byte order marks of UTF-16. */
const MARKS: readonly (readonly [encoding: string, first: number, second: number])[] = [
  ['utf-16le', 0xff, 0xfe],
  ['utf-16be', 0xfe, 0xff],
]

/** The text of a document in UTF-8, or in UTF-16 with a byte order mark; `undefined` for other bytes. */
export function textIn(bytes: Uint8Array): string | undefined {
  const mark = MARKS.find(([, first, second]) => bytes[0] === first && bytes[1] === second)
  const decoder = new TextDecoder(mark?.[0] ?? 'utf-8', { fatal: true })
  try {
    const text = decoder.decode(bytes)
    return text.includes('\0') ? undefined : text
  } catch (error) {
    // By name: under jest, the errors of Node have other classes.
    if ((error as Error).name === 'TypeError') return undefined
    throw error
  }
}
