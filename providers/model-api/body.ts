/** What a read of a body brings. */
export interface Piece {
  readonly done?: boolean | undefined
  readonly value?: Uint8Array | undefined
}

/** A body, read piece by piece until it is let go of. */
export interface Body {
  read(): Promise<Piece>
  /** Does not wait for anything. */
  close(): void
}

/** Bytes that wait for their reader here; what follows waits at the server. */
const MOST_WAITING = 32 * 1024

interface Reader {
  resolve(piece: Piece): void
  reject(error: Error): void
}

/** The pieces of a body between who brings them and who reads them. */
export class PieceQueue {
  readonly #onEmpty: () => void
  readonly #pieces: Uint8Array[] = []
  #waiting = 0
  #isFull = false
  #reader: Reader | undefined
  #isOver = false
  #failure: Error | undefined

  /** @param onEmpty - called when all that waited has been read, where no more was to come before that. */
  constructor(onEmpty: () => void) {
    this.#onEmpty = onEmpty
  }

  get isOver(): boolean {
    return this.#isOver
  }

  /** Adds a piece, and says whether more may come. */
  push(value: Uint8Array): boolean {
    const reader = this.#reader
    this.#reader = undefined
    if (reader) {
      reader.resolve({ value })
      return true
    }
    this.#pieces.push(value)
    this.#waiting += value.length
    this.#isFull = this.#waiting >= MOST_WAITING
    return !this.#isFull
  }

  /** No more comes; a failure is told to whoever reads behind the last piece. */
  end(failure?: Error): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#failure = failure
    if (failure) this.#reader?.reject(failure)
    else this.#reader?.resolve({ done: true })
    this.#reader = undefined
  }

  /** The next piece; one read at a time. */
  read(): Promise<Piece> {
    const value = this.#pieces.shift()
    if (value) {
      this.#taken(value)
      return Promise.resolve({ value })
    }
    if (this.#failure) return Promise.reject(this.#failure)
    if (this.#isOver) return Promise.resolve({ done: true })
    return new Promise((resolve, reject) => {
      this.#reader = { resolve, reject }
    })
  }

  #taken({ length }: Uint8Array): void {
    this.#waiting -= length
    if (!this.#isFull || this.#waiting > 0) return
    this.#isFull = false
    this.#onEmpty()
  }
}

/** The pieces of a body, which is closed when whoever takes them leaves. */
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
