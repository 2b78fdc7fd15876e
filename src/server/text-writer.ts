import type { ServerResponse } from 'node:http'
import type { Writable } from 'node:stream'

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

  /** Whether more may be written before {@link drained}. */
  write(text: string): boolean {
    // An empty chunk would end the body.
    if (text === '') return true
    return this.#stream.write(this.#isDirect ? chunkOf(text) : text)
  }

  /** Resolves when the client has read what was written, or has gone. */
  drained(): Promise<void> {
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

/** A chunk of a body (RFC 9112, 7.1). */
function chunkOf(text: string): string {
  return `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`
}
