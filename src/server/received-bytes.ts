import { constants } from 'node:buffer'

/** Bytes up to which a body stays in the pieces that it came in. */
const SMALL = 128 * 1024

/**
 * The bytes of a body, put together as they come. Those of a large one lie in memory of their own, which the
 * system has back when they are let go of: its pieces would leave holes among all else that the process keeps.
 */
export class ReceivedBytes {
  readonly #most: number
  readonly #onCopied: (piece: Uint8Array) => void
  #pieces: Uint8Array[] = []
  #large: ArrayBuffer | undefined
  #size = 0

  /**
   * @param most bytes that may come; they take memory once they have come
   * @param onCopied is told of pieces that are needed no more
   */
  constructor(most: number, onCopied: (piece: Uint8Array) => void) {
    this.#most = Math.min(most, constants.MAX_LENGTH)
    this.#onCopied = onCopied
  }

  get size(): number {
    return this.#size
  }

  add(piece: Uint8Array): void {
    this.#size += piece.byteLength
    if (this.#large) this.#append(this.#large, piece)
    else this.#pieces.push(piece)
    if (!this.#large && this.#size > SMALL) this.#large = this.#moved()
  }

  /** All that came. */
  whole(): Uint8Array {
    return this.#large ? new Uint8Array(this.#large, 0, this.#size) : Buffer.concat(this.#pieces)
  }

  /** Lets go of all that came. */
  clear(): void {
    this.#pieces = []
    this.#large?.resize(0)
    this.#size = 0
  }

  #moved(): ArrayBuffer {
    const large = new ArrayBuffer(0, { maxByteLength: this.#most })
    for (const piece of this.#pieces) this.#append(large, piece)
    this.#pieces = []
    return large
  }

  #append(large: ArrayBuffer, piece: Uint8Array): void {
    const at = large.byteLength
    large.resize(at + piece.byteLength)
    new Uint8Array(large, at).set(piece)
    this.#onCopied(piece)
  }
}
