import { HostError } from '@braidwork/plugin'

/** A parameter value of a statement. */
export type SqlValue = string | number | Uint8Array | null

/** A row read from the database: values by column name. */
export type Row = { readonly [column: string]: unknown }

/** A row to insert: values by column name. */
export type NewRow = { readonly [column: string]: SqlValue }

/** Runs statements, either on the database or within one transaction. Parameters are written as `?`. */
export interface SqlSession {
  /** The highest number of rows that one statement may carry. */
  readonly mostRows: number
  /**
   * The clause that makes a `SELECT` in a transaction lock its rows. Empty if a transaction locks the whole
   * database.
   */
  readonly forUpdate: string
  query(text: string, values?: readonly SqlValue[]): Promise<readonly Row[]>
}

/** The database as it was at one moment. Later changes do not show. */
export interface Snapshot extends SqlSession {
  end(): Promise<void>
}

/**
 * The operations that the storage needs from an SQL database.
 * @throws {HostError} STORAGE_FAILED, `retryable` if the database is busy or unreachable
 */
export interface SqlDatabase extends SqlSession {
  /** Runs a function in a transaction. Commits when its promise resolves and rolls back when it rejects. */
  transaction<T>(act: (session: SqlSession) => Promise<T>): Promise<T>
  /** Opens a view of the present state, for reading. Others may write meanwhile. */
  snapshot(): Promise<Snapshot>
  /** Starts to give the space of deleted data back, in databases that need to be told. Returns at once. */
  reclaim(): void
  /** Gives back all free space, however long that takes. */
  compact(): Promise<void>
  close(): Promise<void>
}

/**
 * Rejects texts with U+0000. SQLite would cut such a text off there, so that it equals another one; PostgreSQL
 * refuses it.
 * @throws {HostError} REQUEST_INVALID
 */
export function assertKept(values: readonly SqlValue[]): void {
  const text = values.find((value) => typeof value === 'string' && value.includes('\0'))
  if (text === undefined) return
  const shown = JSON.stringify(String(text).slice(0, 50))
  throw new HostError(
    'REQUEST_INVALID',
    `A database cannot store the character U+0000. Remove it from ${shown}.`,
  )
}

/** Returns a list of `count` parameters: `?, ?, ?`. */
export function placeholders(count: number): string {
  return Array.from({ length: count }, () => '?').join(', ')
}

/** Splits items into groups of at most `mostRows`, one per statement. */
export function groups<T>({ mostRows }: SqlSession, all: readonly T[]): readonly (readonly T[])[] {
  const count = Math.ceil(all.length / mostRows)
  return Array.from({ length: count }, (_, at) => all.slice(at * mostRows, (at + 1) * mostRows))
}

/** Parses the JSON text in a column. The column must not be NULL. */
export function jsonIn<T>(value: unknown): T {
  return JSON.parse(String(value)) as T
}

/** Returns an object with the property `key` if the column is not NULL, and an empty object otherwise. */
export function ifPresent<K extends string, V>(
  key: K,
  value: unknown,
  read: (value: unknown) => V,
): { readonly [P in K]?: V } {
  if (value === null || value === undefined) return {}
  return { [key]: read(value) } as { readonly [P in K]: V }
}
