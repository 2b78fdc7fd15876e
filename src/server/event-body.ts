import type { Writable } from 'node:stream'
import type { RunEvent } from '../events/index.ts'
import type { StreamEncoder } from '../wire/protocol.ts'
import { KEEP_ALIVE } from '../wire/sse.ts'

/** What a body is made of. */
export interface EventBodyParts {
  readonly pages: EventPages
  readonly encoder: StreamEncoder
  /** Milliseconds without an event after which a comment says that the stream lives. */
  readonly heartbeat: number
  /** What the reader is told where the log itself fails; throws where it is told nothing, and sent away. */
  readonly onError: (error: unknown) => string
  /** Called once, when the body is over, however it ended. */
  readonly onEnd: () => void
}

/** Lists of events; `return` leaves at once, also while one is waited for. */
export interface EventPages {
  next(): Promise<Page>
  return(): Promise<Page>
}

export type Page = IteratorResult<readonly RunEvent[], undefined>

const bodies = new WeakMap<ReadableStream, EventBody>()

/**
 * Events as the body of a response: pulled as fast as the client reads, and no faster. A listener that has
 * the client's own stream in hand may write them there, and spare each event the way through a web stream.
 */
export class EventBody {
  readonly #parts: EventBodyParts
  #isOver = false

  constructor(parts: EventBodyParts) {
    this.#parts = parts
  }

  /** The body that a response was made of, if it was. */
  static of({ body }: Response): EventBody | undefined {
    return body ? bodies.get(body) : undefined
  }

  /** For any listener. */
  stream(): ReadableStream<Uint8Array> {
    const bytes = new TextEncoder()
    let next: Promise<string | undefined> | undefined
    const stream = new ReadableStream<Uint8Array>(
      {
        pull: async (controller) => {
          next ??= this.#next()
          const text = await withHeartbeat(next, this.#parts.heartbeat)
          if (text !== KEEP_ALIVE) next = undefined
          if (text === undefined) controller.close()
          else controller.enqueue(bytes.encode(text))
        },
        cancel: () => this.#end(),
      },
      { highWaterMark: 0 },
    )
    bodies.set(stream, this)
    return stream
  }

  /** For a listener of Node: resolves when all is written, or the client has gone. */
  async writeTo(client: Writable): Promise<void> {
    const leave = () => void this.#end()
    client.once('close', leave)
    if (client.destroyed) leave()
    const silence = setTimeout(() => {
      if (!client.writableNeedDrain) client.write(KEEP_ALIVE)
      silence.refresh()
    }, this.#parts.heartbeat)
    try {
      for (let text = await this.#next(); text !== undefined; text = await this.#next()) {
        silence.refresh()
        if (!client.write(text)) await drained(client)
      }
      client.end()
    } catch {
      client.destroy()
    } finally {
      clearTimeout(silence)
      client.off('close', leave)
    }
  }

  /** What is to be written next; nothing at the end. Throws where the reader is sent away. */
  async #next(): Promise<string | undefined> {
    const { pages, encoder, onError } = this.#parts
    try {
      while (!this.#isOver) {
        const page = await pages.next()
        if (page.done) break
        const text = encodeAll(encoder, page.value)
        if (text !== '') return text
      }
      await this.#end()
      return undefined
    } catch (error) {
      await this.#end()
      return onError(error)
    }
  }

  async #end(): Promise<void> {
    if (this.#isOver) return
    this.#isOver = true
    const { pages, onEnd } = this.#parts
    await pages.return()
    onEnd()
  }
}

function encodeAll(encoder: StreamEncoder, events: readonly RunEvent[]): string {
  let text = ''
  for (const event of events) text += encoder.encode(event)
  return text
}

/** Resolves when a client has read what was written, or has gone. */
function drained(client: Writable): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      client.off('drain', done).off('close', done)
      resolve()
    }
    client.once('drain', done).once('close', done)
    if (client.destroyed) done()
  })
}

/** What a promise comes to, or a comment after so many milliseconds without it. */
async function withHeartbeat(
  promise: Promise<string | undefined>,
  milliseconds: number,
): Promise<string | undefined> {
  let timer: NodeJS.Timeout | undefined
  const silence = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve(KEEP_ALIVE), milliseconds)
  })
  try {
    return await Promise.race([promise, silence])
  } finally {
    clearTimeout(timer)
  }
}
