import type { Row, Snapshot, SqlDatabase, SqlSession, SqlValue } from '../../src/store/sql/index.ts'

/** A database in which something happens before a statement outside of transactions, which then sees it. */
export class InterruptedDatabase implements SqlDatabase {
  readonly forUpdate: string
  readonly mostRows: number
  readonly #database: SqlDatabase
  #left = 0
  #act: (() => Promise<unknown>) | undefined

  constructor(database: SqlDatabase) {
    this.#database = database
    this.forUpdate = database.forUpdate
    this.mostRows = database.mostRows
  }

  /** Whether what was to happen has happened. */
  get wasInterrupted(): boolean {
    return this.#act === undefined
  }

  /** Acts once, before the statement of a number, the next being 0. */
  interrupt(number: number, act: () => Promise<unknown>): void {
    this.#left = number
    this.#act = act
  }

  async query(text: string, values?: readonly SqlValue[]): Promise<readonly Row[]> {
    const act = this.#act
    if (act && this.#left-- === 0) {
      this.#act = undefined
      await act()
    }
    return this.#database.query(text, values)
  }

  transaction<T>(act: (session: SqlSession) => Promise<T>): Promise<T> {
    return this.#database.transaction(act)
  }

  snapshot(): Promise<Snapshot> {
    return this.#database.snapshot()
  }

  reclaim(): void {
    this.#database.reclaim()
  }

  compact(): Promise<void> {
    return this.#database.compact()
  }

  close(): Promise<void> {
    return this.#database.close()
  }
}
