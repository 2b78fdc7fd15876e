import { setTimeout as wait } from 'node:timers/promises'

/**
 * The number of pages that one step gives back, and the pause between two steps in milliseconds, in which other
 * work continues.
 */
const PAGES = 128
const PAUSE = 5
/** Below this number of free pages nothing is given back, as they will soon be used again. */
const LEAST_FREE = 256

/** The free pages of an SQLite file, and the statements that give them back. */
export interface ReclaimedFile {
  freePages(): Promise<number>
  giveBack(pages: number): Promise<void>
  /** Makes the file itself shorter after its pages were freed. */
  checkpoint(): Promise<void>
}

/** Gives the space of deleted data back to the file system in small steps. */
export class Reclaiming {
  readonly #file: ReclaimedFile
  #work: Promise<void> | undefined
  #isOver = false

  constructor(file: ReclaimedFile) {
    this.#file = file
  }

  /** Starts the work, unless it is running. */
  begin(): void {
    if (this.#isOver) return
    // A failure, for example because the file is locked, does no harm: the next deletion tries again.
    this.#work ??= this.#giveBack()
      .catch(() => undefined)
      .finally(() => {
        this.#work = undefined
      })
  }

  /** Stops after the current step. */
  async end(): Promise<void> {
    this.#isOver = true
    await this.#work
  }

  async #giveBack(): Promise<void> {
    let free = await this.#file.freePages()
    if (free < LEAST_FREE) return
    while (free > 0 && !this.#isOver) {
      await this.#file.giveBack(PAGES)
      await wait(PAUSE)
      const left = await this.#file.freePages()
      // A file without `auto_vacuum` keeps its pages until it is compacted.
      if (left >= free) break
      free = left
    }
    await this.#file.checkpoint()
  }
}
