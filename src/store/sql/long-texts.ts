import type { Row, SqlSession, SqlValue } from './database.ts'

/**
 * The size of a piece of a long text in characters; each piece after the first is a row. A database processes a row
 * without interruption, needs several times its size in memory meanwhile, and rewrites all of it when one number in
 * it changes.
 */
const PIECE = 64 * 1024
/** The number of rows read per statement. */
const PAGE = 16

/** Describes a text column whose row holds only the first piece. The row's column `pieces` counts the others. */
export interface LongText {
  readonly column: string
  /** The table with the other pieces. */
  readonly table: string
  /** The columns that identify the row, and its pieces in the other table. */
  readonly key: readonly string[]
}

export const RUN_ORDER: LongText = { column: 'run_order', table: 'run_pieces', key: ['id'] }
export const ENTRY_CONTENT: LongText = {
  column: 'content',
  table: 'entry_pieces',
  key: ['owner', 'conversation_id', 'id'],
}

/** Splits a text into the first piece, which the row itself holds, and the others. */
export function piecesOf(text: string): readonly [first: string, ...rest: readonly string[]] {
  const end = endOfPiece(text, 0)
  const rest: string[] = []
  for (let at = end, next = 0; at < text.length; at = next) {
    next = endOfPiece(text, at)
    rest.push(text.slice(at, next))
  }
  return [text.slice(0, end), ...rest]
}

/** Returns the end of a piece. It never separates a surrogate pair, because half a pair has no UTF-8 encoding. */
function endOfPiece(text: string, from: number): number {
  const end = from + PIECE
  const code = text.charCodeAt(end)
  return code >= 0xdc00 && code <= 0xdfff ? end + 1 : end
}

/** Inserts all pieces but the first, whose row must exist. */
export async function insertPieces(
  session: SqlSession,
  { table, key }: LongText,
  of: readonly SqlValue[],
  rest: readonly string[],
): Promise<void> {
  const columns = [...key, 'position', 'piece']
  const text = `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`
  for (const [index, piece] of rest.entries()) await session.query(text, [...of, index + 1, piece])
}

/** Reads the whole text of a row. Returns undefined if it was deleted meanwhile. */
export async function wholeText(
  session: SqlSession,
  { column, table, key }: LongText,
  row: Row,
): Promise<string | undefined> {
  let text = String(row[column])
  const of = key.map((name) => String(row[name]))
  for (let at = 0; at < Number(row['pieces']); ) {
    const rows = await session.query(
      `SELECT piece FROM ${table} WHERE ${key.map((name) => `${name} = ?`).join(' AND ')}
        AND position > ? ORDER BY position LIMIT ?`,
      [...of, at, PAGE],
    )
    if (rows.length === 0) return undefined
    for (const { piece } of rows) text += String(piece)
    at += rows.length
  }
  return text
}
