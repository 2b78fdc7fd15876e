import type { Readable } from 'node:stream'
import { type Body, type Piece, PieceQueue } from './body.ts'

/** A Node stream as a body. It listens to events, since pulling from the stream costs more than parsing the data. */
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

  /** Ends the queue with an error, unless the stream ended normally before. */
  readonly #onClose = (): void => {
    if (this.#queue.isOver) return
    this.#queue.end(this.#source.errored ?? new Error('the connection was lost'))
  }
}
