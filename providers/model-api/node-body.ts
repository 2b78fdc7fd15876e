import type { Readable } from 'node:stream'
import { type Body, type Piece, PieceQueue } from './body.ts'

/** A stream of Node's as a body, taken as it comes: to pull from one costs more than to parse what it brings. */
export class NodeBody implements Body {
  readonly #source: Readable
  readonly #queue: PieceQueue

  constructor(source: Readable) {
    this.#source = source
    this.#queue = new PieceQueue(() => source.resume())
    source
      .on('data', this.#onData)
      .once('end', () => this.#queue.end())
      .on('error', (error) => this.#queue.end(error))
      .once('close', this.#onClose)
    if (source.destroyed) this.#onClose()
  }

  read(): Promise<Piece> {
    return this.#queue.read()
  }

  close(): void {
    this.#source.off('data', this.#onData).destroy()
  }

  readonly #onData = (value: Uint8Array): void => {
    if (!this.#queue.push(value)) this.#source.pause()
  }

  /** Nothing, where it came to its end before. */
  readonly #onClose = (): void => {
    this.#queue.end(this.#source.errored ?? new Error('the connection was lost'))
  }
}
