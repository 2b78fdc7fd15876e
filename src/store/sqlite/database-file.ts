import { statSync } from 'node:fs'
import { HostError } from '@braidwork/plugin'

/**
 * Detects that the open database file was deleted or replaced. SQLite does not notice this and goes on writing to a
 * file that no path leads to.
 */
export class DatabaseFile {
  readonly #path: string
  readonly #id: string | undefined

  constructor(path: string) {
    this.#path = path
    this.#id = idOf(path)
  }

  /** @throws {HostError} STORAGE_FAILED if the file was deleted, moved or replaced */
  assertThere(): void {
    if (this.#id === undefined || idOf(this.#path) === this.#id) return
    throw new HostError(
      'STORAGE_FAILED',
      `The file "${this.#path}" was deleted, moved or replaced while it was in use. Put it back and restart the process.`,
      { retryable: false },
    )
  }
}

/**
 * Returns the device and inode number of a file, which differ for a file that replaces it. Returns undefined if
 * there is no file, as for a database in memory.
 */
function idOf(path: string): string | undefined {
  const found = statSync(path, { throwIfNoEntry: false })
  return found && `${found.dev}:${found.ino}`
}
