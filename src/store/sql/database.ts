import { HostError } from '@braidwork/plugin'

/** What a parameter of a statement may be. */
export type SqlValue = string | number | Uint8Array | null

/** A row, by the names of its columns. */
export type Row = { readonly [column: string]: unknown }

/** A row to be inserted. */
export type NewRow = { readonly [column: string]: SqlValue }

/** Where statements run: the database, or one transaction of it. Parameters stand as `?`. */
export interface SqlSession {
  /** Rows that one statement is given. */
  readonly mostRows: number
  query(text: string, values?: readonly SqlValue[]): Promise<readonly Row[]>
}

/**
 * A database of SQL, as far as storage needs it.
 * @throws {HostError} STORAGE_FAILED, `retryable` where it is busy or out of reach
 */
export interface SqlDatabase extends SqlSession {
  /** What locks the rows that a `SELECT` in a transaction finds; empty where the transaction locks all. */
  readonly forUpdate: string
  /** All or nothing. */
  transaction<T>(act: (session: SqlSession) => Promise<T>): Promise<T>
  /** Begins to give back the room of what was deleted, where that needs to be said. */
  reclaim(): void
  /** Gives all of it back, however long it takes. */
  compact(): Promise<void>
  close(): Promise<void>
}

/**
 * SQLite would cut such a text, and so take it for another; PostgreSQL refuses it.
 * @throws {HostError} REQUEST_INVALID
 */
export function assertKept(values: readonly SqlValue[]): void {
  const text = values.find((value) => typeof value === 'string' && value.includes('\0'))
  if (text === undefined) return
  const shown = JSON.stringify(String(text).slice(0, 50))
  throw new HostError('REQUEST_INVALID', `A database keeps no text with U+0000, as in ${shown}.`)
}

/** A list of parameters: `?, ?, ?`. */
export function placeholders(count: number): string {
  return Array.from({ length: count }, () => '?').join(', ')
}

/** What is too many for one statement of a session, in groups. */
export function groups<T>({ mostRows }: SqlSession, all: readonly T[]): readonly (readonly T[])[] {
  const count = Math.ceil(all.length / mostRows)
  return Array.from({ length: count }, (_, at) => all.slice(at * mostRows, (at + 1) * mostRows))
}

/** A column's JSON, or nothing for NULL. */
export function jsonIn<T>(value: unknown): T {
  return JSON.parse(String(value)) as T
}

/** A member for a column that is not NULL. */
export function ifPresent<K extends string, V>(
  key: K,
  value: unknown,
  read: (value: unknown) => V,
): { readonly [P in K]?: V } {
  if (value === null || value === undefined) return {}
  return { [key]: read(value) } as { readonly [P in K]: V }
}
