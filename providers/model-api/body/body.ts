/** The result of one read of a response body. */
export interface Piece {
  readonly done?: boolean | undefined
  readonly value?: Uint8Array | undefined
}

/** A response body that is read piece by piece until it is closed. */
export interface Body {
  read(): Promise<Piece>
  /** Closes the connection at once, without waiting for anything. */
  close(): void
}

/** Bytes buffered here before the server is told to wait. */
const MOST_WAITING = 32 * 1024

/** A queue of body pieces between the connection that receives them and the reader. */
export class PieceQueue {
  readonly #onEmpty: () => void
  #pieces: Uint8Array[] = []
  #waiting = 0
  #isFull = false
  /** Settle the read that is pending. */
  #resolve: ((piece: Piece) => void) | undefined
  #reject: ((error: Error) => void) | undefined
  #isOver = false
  #failure: Error | undefined

  /** @param onEmpty - called when the buffer has been read empty and may be filled again. */
  constructor(onEmpty: () => void) {
    this.#onEmpty = onEmpty
  }

  get isOver(): boolean {
    return this.#isOver
  }

  /** Adds a piece. @returns whether more may follow at once */
  push(value: Uint8Array): boolean {
    const resolve = this.#resolve
    if (resolve) {
      this.#resolve = undefined
      resolve({ value })
      return true
    }
    this.#pieces.push(value)
    this.#waiting += value.length
    this.#isFull = this.#waiting >= MOST_WAITING
    return !this.#isFull
  }

  /** Ends the queue. The reader gets a failure after the last piece. */
  end(failure?: Error): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#failure = failure
    if (failure && this.#resolve) this.#reject?.(failure)
    else this.#resolve?.({ done: true })
    this.#resolve = undefined
  }

  /**
   * Everything that waits, as one piece: a server sends each event in a frame of its own, and one read of the socket
   * brings many. Only one read may be pending at a time.
   */
  read(): Promise<Piece> {
    if (this.#pieces.length > 0) return Promise.resolve({ value: this.#takeAll() })
    if (this.#failure) return Promise.reject(this.#failure)
    if (this.#isOver) return Promise.resolve({ done: true })
    return new Promise(this.#wait)
  }

  /** The function that promises begin with is made once for a body, not for each read. */
  readonly #wait = (resolve: (piece: Piece) => void, reject: (error: Error) => void): void => {
    this.#resolve = resolve
    this.#reject = reject
  }

  #takeAll(): Uint8Array {
    const pieces = this.#pieces
    this.#pieces = []
    this.#waiting = 0
    if (this.#isFull) {
      this.#isFull = false
      this.#onEmpty()
    }
    const [only] = pieces
    return only && pieces.length === 1 ? only : Buffer.concat(pieces)
  }
}

/** Milliseconds, and bytes, for the rest of a body that nobody needs. */
const DRAIN_TIME = 1000
const DRAIN_BYTES = 64 * 1024

/**
 * Reads the rest of a body that nobody needs, and closes it at its end. Its connection can then be used again, which
 * it cannot if the body is closed earlier. A rest that is longer than 64 KiB or takes longer than `time` is given up.
 * @param time - in milliseconds
 */
export async function drain(body: Body, time = DRAIN_TIME): Promise<void> {
  const timer = setTimeout(() => body.close(), time)
  try {
    let isOver = false
    for (let size = 0; !isOver && size <= DRAIN_BYTES; ) {
      const { done = false, value } = await body.read()
      isOver = done
      size += value?.length ?? 0
    }
  } catch {
    // The connection was lost. Nobody needs the rest.
  } finally {
    clearTimeout(timer)
    body.close()
  }
}

/** Iterates over the pieces of a body, and closes the body when the consumer stops. */
export async function* valuesOf(body: Body): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    for (;;) {
      const { done, value } = await body.read()
      if (done) return
      if (value) yield value
    }
  } finally {
    body.close()
  }
}
