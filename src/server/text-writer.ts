import type { ServerResponse } from 'node:http'
import type { Writable } from 'node:stream'

/**
 * Characters that are written at once. Node makes the bytes of a text in a buffer of three times its length, and
 * the allocator of the system keeps twice as much for good as the largest buffer that it was ever given back.
 */
const PIECE = 32 * 1024

/**
 * Writes the body of a response whose headers are sent. Of each piece that is written to a response Node
 * makes four, which it gathers and writes together; as one piece, on the socket, the same bytes cost a
 * third less. A response that waits for the one before it on its connection has no socket yet.
 */
export class TextWriter {
  readonly #stream: Writable
  readonly #isDirect: boolean

  constructor(response: ServerResponse) {
    const { socket, chunkedEncoding } = response
    this.#isDirect = socket !== null && chunkedEncoding
    this.#stream = this.#isDirect && socket ? socket : response
  }

  get writableNeedDrain(): boolean {
    return this.#stream.writableNeedDrain
  }

  /**
   * Writes a text. Where the client is to read first, answers a promise that resolves when it has read what was
   * written, or has gone.
   */
  write(text: string): Promise<void> | undefined {
    if (text.length > PIECE) return this.#writeLong(text)
    // An empty chunk would end the body.
    if (text === '') return undefined
    const mayGoOn = this.#stream.write(this.#isDirect ? chunkOf(text) : text)
    return mayGoOn ? undefined : this.#drained()
  }

  async #writeLong(text: string): Promise<void> {
    for (let at = 0, end = 0; at < text.length && !this.#stream.destroyed; at = end) {
      end = endOfPiece(text, at)
      await this.write(text.slice(at, end))
    }
  }

  #drained(): Promise<void> {
    const stream = this.#stream
    return new Promise((resolve) => {
      const done = () => {
        stream.off('drain', done).off('close', done)
        resolve()
      }
      stream.once('drain', done).once('close', done)
      if (stream.destroyed) done()
    })
  }
}

/** Never between the two halves of one sign. */
function endOfPiece(text: string, from: number): number {
  const end = from + PIECE
  const code = text.charCodeAt(end)
  return code >= 0xdc00 && code <= 0xdfff ? end - 1 : end
}

/** A chunk of a body (RFC 9112, 7.1). */
function chunkOf(text: string): string {
  return `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`
}
