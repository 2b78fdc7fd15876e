import { createHash } from 'node:crypto'
import { ownTurn } from '@braidwork/core/internal'

/** The number of characters hashed in one turn of the event loop. */
const PIECE = 256 * 1024
/** What a text costs beside its characters, in characters: the call, and a digest before it. */
const CALL = 512

/** A hash of texts, made in turns of the event loop. */
export class PacedHash {
  readonly #hash = createHash('sha256')
  #size = 0

  async add(text: string): Promise<void> {
    this.#size += CALL
    for (let at = 0; at < text.length; at += PIECE) {
      this.#hash.update(text.slice(at, at + PIECE))
      this.#size += Math.min(PIECE, text.length - at)
      if (this.#size < PIECE) continue
      this.#size = 0
      await ownTurn()
    }
  }

  /** The hash of all texts so far, in base64url. More may follow. */
  digest(): string {
    return this.#hash.copy().digest('base64url')
  }
}
