import { constants } from 'node:buffer'

/** A body of up to this many bytes stays in the pieces in which it arrived. */
const SMALL = 128 * 1024

/**
 * Assembles the bytes of a body as they arrive. A large body gets memory of its own, which the system regains as
 * soon as the body is released; its many pieces would leave gaps between other objects of the process.
 */
export class ReceivedBytes {
  readonly #most: number
  readonly #onCopied: (piece: Uint8Array) => void
  #pieces: Uint8Array[] = []
  #large: ArrayBuffer | undefined
  #size = 0

  /**
   * @param most the highest number of bytes that may arrive; memory is used only for bytes that have arrived
   * @param onCopied called with each piece that is no longer needed
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

  /** Returns all received bytes. */
  whole(): Uint8Array {
    return this.#large ? new Uint8Array(this.#large, 0, this.#size) : Buffer.concat(this.#pieces)
  }

  /** Releases all received bytes. */
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
