import { writeSync } from 'node:fs'

/**
 * Lines are written together, up to so many characters or milliseconds, because a write of its own for each line costs
 * more than all else about it.
 */
const WRITTEN_AT = 8192
const WRITTEN_AFTER = 100
/** The most characters that wait while nothing can be written, as on a full disk or with a reader that has stopped. */
const MOST_WAITING = 1_048_576
/** How often, and after how many milliseconds each, a process that exits tries to write to a pipe that is full. */
const LAST_TRIES = 10
const TRY_AGAIN_AFTER = 100

export interface LogOutputOptions {
  /** Writes the beginning of the bytes, and returns how many. By default to standard error. */
  readonly write?: (bytes: Uint8Array) => number
  /** Is told how many lines were lost, and the code of the last failure, as soon as lines can be written again. */
  readonly onLost?: (lines: number, code: string) => void
}

/**
 * Writes lines to standard error. A failed write is tried again later and never throws: a server must not end, or wait,
 * because of its log.
 */
export class LogOutput {
  readonly #write: (bytes: Uint8Array) => number
  readonly #onLost: NonNullable<LogOutputOptions['onLost']>
  /** What the last write left over. It may begin within a line. */
  #rest: Uint8Array = new Uint8Array()
  #lines = ''
  #lost = 0
  #failure: string | undefined
  #timer: NodeJS.Timeout | undefined

  constructor({ write = writeToError, onLost = () => {} }: LogOutputOptions = {}) {
    this.#write = write
    this.#onLost = onLost
  }

  /** Adds a line with its line break, for the next write. */
  add(line: string): void {
    if (this.#rest.length + this.#lines.length + line.length > MOST_WAITING) {
      this.#lost++
      return
    }
    this.#lines += line
    if (this.#lines.length > WRITTEN_AT && this.#failure === undefined) this.flush()
    else this.#timer ??= setTimeout(() => this.flush(), WRITTEN_AFTER).unref()
  }

  /** Writes all lines that wait, as far as that is possible now. */
  flush(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const bytes = Buffer.concat([this.#rest, Buffer.from(this.#lines)])
    this.#lines = ''
    const last = this.#failure
    this.#failure = undefined
    this.#rest = bytes.subarray(this.#written(bytes))
    if (this.#failure !== undefined)
      this.#timer = setTimeout(() => this.flush(), WRITTEN_AFTER).unref()
    else if (this.#lost > 0) this.#tellLost(last)
  }

  /** Like `flush`, but waits up to a second for a reader that is slow. */
  flushLast(): void {
    this.flush()
    const waiting = new Int32Array(new SharedArrayBuffer(4))
    for (let tries = 0; tries < LAST_TRIES && this.#failure === 'EAGAIN'; tries++) {
      Atomics.wait(waiting, 0, 0, TRY_AGAIN_AFTER)
      this.flush()
    }
    // The flush that could write again has added how many lines were lost.
    if (this.#lines !== '') this.flush()
  }

  #written(bytes: Uint8Array): number {
    let count = 0
    try {
      while (count < bytes.length) count += this.#write(bytes.subarray(count))
    } catch (error) {
      this.#failure = String((error as NodeJS.ErrnoException).code)
    }
    return count
  }

  #tellLost(code = ''): void {
    const lost = this.#lost
    this.#lost = 0
    this.#onLost(lost, code)
  }
}

function writeToError(bytes: Uint8Array): number {
  return writeSync(2, bytes)
}
