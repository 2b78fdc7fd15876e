/** What a parameter of a statement may be. */
export type SqlValue = string | number | Uint8Array | null

/** A row, by the names of its columns. */
export type Row = { readonly [column: string]: unknown }

/** Where statements run: the database, or one transaction of it. Parameters stand as `?`. */
export interface SqlSession {
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
  close(): Promise<void>
}

/** A list of parameters: `?, ?, ?`. */
export function placeholders(count: number): string {
  return Array.from({ length: count }, () => '?').join(', ')
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
