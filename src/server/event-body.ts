import type { ServerResponse } from 'node:http'
import type { Http2ServerResponse } from 'node:http2'
import { IdleTimer, type Sink } from '@braidwork/core/internal'
import type { RunEvent } from '@braidwork/plugin'
import { TextWriter } from './text-writer.ts'
import { KEEP_ALIVE, type StreamEncoder } from './wire/index.ts'

/** The parts of an {@link EventBody}. */
export interface EventBodyParts {
  readonly pages: EventPages
  /** The pages already requested from `pages`, in order. They are sent first. */
  readonly requested?: readonly Promise<Page>[]
  readonly encoder: StreamEncoder
  /** After this many milliseconds without an event, the body sends a comment that keeps the connection open. */
  readonly heartbeat: number
  /**
   * Returns the text to send if reading the log fails. Throws if the client is to be disconnected without any text.
   */
  readonly onError: (error: unknown) => string
  /** Called once when the body ends, for whatever reason. */
  readonly onEnd: () => void
}

/**
 * Batches of events, which the consumer pulls or has pushed to it. `return` ends the reading at once, even while a
 * batch is awaited.
 */
export interface EventPages {
  next(): Promise<Page>
  pipeTo(sink: Sink<readonly RunEvent[]>): Promise<void>
  return(): Promise<Page>
}

export type Page = IteratorResult<readonly RunEvent[], undefined>

const bodies = new WeakMap<ReadableStream, EventBody>()

/**
 * A response body made of events, read from the log only as fast as the client reads. A Node listener can write it
 * straight to the client's connection, which avoids passing each event through a web stream.
 */
export class EventBody {
  readonly #parts: EventBodyParts
  readonly #requested: Promise<Page>[]
  readonly #silence: IdleTimer
  #keepAlive: () => void = () => undefined
  #isOver = false

  constructor(parts: EventBodyParts) {
    this.#parts = parts
    this.#requested = [...(parts.requested ?? [])]
    // A page may fail before the client asks for it. The client is told when it does.
    for (const page of this.#requested) page.catch(() => undefined)
    this.#silence = new IdleTimer(parts.heartbeat, () => {
      this.#keepAlive()
      this.#silence.touch()
    })
  }

  /** Returns the EventBody that a response was made from, if any. */
  static of({ body }: Response): EventBody | undefined {
    return body ? bodies.get(body) : undefined
  }

  /** Returns the body as a web stream, for any listener. */
  stream(): ReadableStream<Uint8Array> {
    const bytes = new TextEncoder()
    const stream = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          const keepAlive = () => {
            // Nothing is queued for a client that does not read.
            if (controller.desiredSize === 0) controller.enqueue(bytes.encode(KEEP_ALIVE))
          }
          this.#keepAlive = keepAlive
        },
        pull: async (controller) => {
          this.#silence.touch()
          const text = await this.#next()
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

  /**
   * Writes the body to a Node response whose headers are sent. Resolves when all is written or the client has
   * disconnected.
   */
  async writeTo(client: ServerResponse | Http2ServerResponse): Promise<void> {
    const writer = new TextWriter(client)
    const leave = () => void this.#end()
    client.once('close', leave)
    const keepAlive = () => {
      if (!writer.writableNeedDrain) void writer.write(KEEP_ALIVE)
    }
    this.#keepAlive = keepAlive
    this.#silence.touch()
    if (client.destroyed) leave()
    try {
      await this.#writeAll(writer)
      client.end()
    } catch {
      client.destroy()
    } finally {
      client.off('close', leave)
      writer.release()
    }
  }

  /** Writes all events. Throws if the client is to be disconnected. */
  async #writeAll(writer: TextWriter): Promise<void> {
    const { pages, encoder, onError } = this.#parts
    const write: Sink<readonly RunEvent[]> = (events) => {
      const text = encodeAll(encoder, events)
      if (text === '') return undefined
      this.#silence.touch()
      return writer.write(text)
    }
    try {
      for (let page = this.#requested.shift(); page; page = this.#requested.shift()) {
        await write((await page).value ?? [])
      }
      await pages.pipeTo(write)
      await this.#end()
    } catch (error) {
      await this.#end()
      await writer.write(onError(error))
    }
  }

  /** Returns the next text to send, or undefined at the end. Throws if the client is to be disconnected. */
  async #next(): Promise<string | undefined> {
    const { pages, encoder, onError } = this.#parts
    try {
      while (!this.#isOver) {
        const page = await (this.#requested.shift() ?? pages.next())
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
    this.#silence.stop()
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
