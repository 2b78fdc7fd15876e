import type Database from 'libsql'

/** The number of prepared statements to keep. */
const MOST_PREPARED = 200

/** The statements of a connection that are prepared once and run often. The oldest goes when there are too many. */
export class PreparedStatements {
  readonly #connection: Database.Database
  readonly #known = new Map<string, Database.Statement>()

  constructor(connection: Database.Database) {
    this.#connection = connection
  }

  get(text: string): Database.Statement {
    const known = this.#known.get(text)
    if (known) return known
    const statement = this.#connection.prepare(text)
    const [oldest] = this.#known.keys()
    if (this.#known.size >= MOST_PREPARED && oldest !== undefined) this.#known.delete(oldest)
    this.#known.set(text, statement)
    return statement
  }

  clear(): void {
    this.#known.clear()
  }
}
