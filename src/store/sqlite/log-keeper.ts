import { threadedDriver } from './driver.ts'

/**
 * Copies the write-ahead log to the SQLite file (a checkpoint) on a thread of the driver. Without this, a commit
 * that finds a long log does so itself; after a long transaction that takes as long again and blocks everything
 * else.
 */
export class LogKeeper {
  readonly #path: string
  #work: Promise<void> | undefined
  #isDue = false

  constructor(path: string) {
    this.#path = path
  }

  /**
   * Starts a checkpoint, or another one after the present one. Resolves when the log is in the file or cannot be
   * copied now.
   */
  begin(): Promise<void> {
    this.#isDue = true
    this.#work ??= this.#keep().finally(() => {
      this.#work = undefined
    })
    return this.#work
  }

  /** Resolves when the running checkpoint is over. */
  async settled(): Promise<void> {
    await this.#work
  }

  async #keep(): Promise<void> {
    while (this.#isDue) {
      this.#isDue = false
      // After a failure the next commit makes a checkpoint itself.
      await this.#checkpoint().catch(() => undefined)
    }
  }

  async #checkpoint(): Promise<void> {
    const Database = threadedDriver()
    const connection = new Database(this.#path, {})
    try {
      await connection.exec('PRAGMA wal_checkpoint')
    } finally {
      connection.close()
    }
  }
}
