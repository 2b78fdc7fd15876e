import { HostError, isObject } from '@braidwork/plugin'

/** Counts the records between the first and the last line of an export. Several exports may follow each other. */
export class ExportMarks {
  isMarked = false
  #isOpen = false
  #records = 0

  /** Whether a value is a mark. @throws {HostError} REQUEST_INVALID for an end with another number of records */
  takes(value: unknown): boolean {
    const type = isObject(value) ? value['type'] : undefined
    if (type === 'export') {
      this.assertEnded()
      this.isMarked = true
      this.#isOpen = true
      this.#records = 0
    } else if (type === 'end' && isObject(value)) {
      if (!this.#isOpen || value['records'] !== this.#records) throw this.#cut()
      this.#isOpen = false
    } else {
      this.#records++
      return false
    }
    return true
  }

  /** @throws {HostError} REQUEST_INVALID */
  assertEnded(): void {
    if (this.#isOpen) throw this.#cut()
  }

  #cut(): HostError {
    const message = `The export is not complete: records are missing beside the ${this.#records} that were read. Export again, and import the whole file.`
    return new HostError('REQUEST_INVALID', message)
  }
}
