import { statSync } from 'node:fs'
import { HostError } from '@braidwork/plugin'

/**
 * The file that a connection has open. SQLite does not notice where it is deleted or replaced: it goes on
 * writing what nobody will ever find.
 */
export class DatabaseFile {
  readonly #path: string
  readonly #id: string | undefined

  constructor(path: string) {
    this.#path = path
    this.#id = idOf(path)
  }

  /** @throws {HostError} STORAGE_FAILED */
  assertThere(): void {
    if (this.#id === undefined || idOf(this.#path) === this.#id) return
    throw new HostError(
      'STORAGE_FAILED',
      `The file "${this.#path}" was deleted, moved or replaced while it was in use. Put it back, and start anew.`,
      { retryable: false },
    )
  }
}

/** What tells a file from one that takes its place; nothing where there is none, as in memory. */
function idOf(path: string): string | undefined {
  const found = statSync(path, { throwIfNoEntry: false })
  return found && `${found.dev}:${found.ino}`
}
