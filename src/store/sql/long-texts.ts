import type { Row, SqlSession, SqlValue } from './database.ts'

/**
 * Characters of one row: a database goes through a row in one stretch, takes several times its bytes meanwhile,
 * and writes all of it anew where one number in it changes.
 */
const PIECE = 64 * 1024
/** Rows that are read in one statement. */
const PAGE = 16

/** A text whose row has its first piece, and in `pieces` how many follow. */
export interface LongText {
  readonly column: string
  /** The table of the pieces that follow. */
  readonly table: string
  /** The columns that tell its row from all others, and whose pieces there are. */
  readonly key: readonly string[]
}

/** The column kept its first name. */
export const RUN_ORDER: LongText = { column: 'facts', table: 'run_pieces', key: ['id'] }
export const ENTRY_CONTENT: LongText = {
  column: 'content',
  table: 'entry_pieces',
  key: ['owner', 'conversation_id', 'id'],
}

/** A text in pieces: the first for its own row, and those that follow. */
export function piecesOf(text: string): readonly [first: string, ...rest: readonly string[]] {
  const end = endOfPiece(text, 0)
  const rest: string[] = []
  for (let at = end, next = 0; at < text.length; at = next) {
    next = endOfPiece(text, at)
    rest.push(text.slice(at, next))
  }
  return [text.slice(0, end), ...rest]
}

/** Never between the two halves of one sign, neither of which is a text in UTF-8. */
function endOfPiece(text: string, from: number): number {
  const end = from + PIECE
  const code = text.charCodeAt(end)
  return code >= 0xdc00 && code <= 0xdfff ? end + 1 : end
}

/** Inserts the pieces that follow the first, whose row is there. */
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

/** The whole text of a row; nothing where it was deleted meanwhile. */
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
