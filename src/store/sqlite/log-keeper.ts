/**
 * Puts the log of a file of SQLite into the file on a thread of the driver's. A connection does so by itself with a
 * commit that finds the log long; behind a long transaction that takes as long again, and nothing else goes on.
 */
export class LogKeeper {
  readonly #path: string
  #work: Promise<void> | undefined
  #isDue = false

  constructor(path: string) {
    this.#path = path
  }

  /** Begins, or goes on when it is through. Over once the log is in the file, or cannot be put there now. */
  begin(): Promise<void> {
    this.#isDue = true
    this.#work ??= this.#keep().finally(() => {
      this.#work = undefined
    })
    return this.#work
  }

  /** When what was begun is over. */
  async settled(): Promise<void> {
    await this.#work
  }

  async #keep(): Promise<void> {
    while (this.#isDue) {
      this.#isDue = false
      // The next commit tries it by itself.
      await this.#checkpoint().catch(() => undefined)
    }
  }

  async #checkpoint(): Promise<void> {
    const { default: Database } = await import('libsql/promise')
    const connection = new Database(this.#path, {})
    try {
      await connection.exec('PRAGMA wal_checkpoint')
    } finally {
      connection.close()
    }
  }
}
