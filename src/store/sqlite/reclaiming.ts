import { setTimeout as wait } from 'node:timers/promises'

/** Pages that one step gives back, and milliseconds between two, in which all else goes on. */
const PAGES = 128
const PAUSE = 5
/** Free pages that are left alone: they are used again soon. */
const LEAST_FREE = 256

/** What of a file of SQLite is free, and the statements that give it back. */
export interface ReclaimedFile {
  freePages(): Promise<number>
  giveBack(pages: number): Promise<void>
  /** Cuts the file itself, once its pages are free. */
  checkpoint(): Promise<void>
}

/** Gives the room of what was deleted back to the file system, some of it at a time. */
export class Reclaiming {
  readonly #file: ReclaimedFile
  #work: Promise<void> | undefined
  #isOver = false

  constructor(file: ReclaimedFile) {
    this.#file = file
  }

  /** Begins, unless it is under way. */
  begin(): void {
    if (this.#isOver) return
    // What keeps it from being given back, as a file that is locked, is no fault: the next deletion begins anew.
    this.#work ??= this.#giveBack()
      .catch(() => undefined)
      .finally(() => {
        this.#work = undefined
      })
  }

  /** Ends it after the step that is under way. */
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
      // A file that has never been compacted keeps its pages.
      if (left >= free) break
      free = left
    }
    await this.#file.checkpoint()
  }
}
