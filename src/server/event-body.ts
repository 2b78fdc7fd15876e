import type { ServerResponse } from 'node:http'
import { IdleTimer, type Sink } from '@braidwork/core/internal'
import type { RunEvent } from '@braidwork/plugin'
import { orAfter } from './or-after.ts'
import { TextWriter } from './text-writer.ts'
import { KEEP_ALIVE, type StreamEncoder } from './wire/index.ts'

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

/** Lists of events, pulled or told; `return` leaves at once, also while one is waited for. */
export interface EventPages {
  next(): Promise<Page>
  pipeTo(sink: Sink<readonly RunEvent[]>): Promise<void>
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
          const text = await orAfter(next, this.#parts.heartbeat, KEEP_ALIVE)
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

  /** For a listener of Node, once headers are sent: resolves when all is written, or the client has gone. */
  async writeTo(client: ServerResponse): Promise<void> {
    const writer = new TextWriter(client)
    const leave = () => void this.#end()
    client.once('close', leave)
    if (client.destroyed) leave()
    const silence = new IdleTimer(this.#parts.heartbeat, () => {
      if (!writer.writableNeedDrain) void writer.write(KEEP_ALIVE)
      silence.touch()
    })
    silence.touch()
    try {
      await this.#writeAll(writer, silence)
      client.end()
    } catch {
      client.destroy()
    } finally {
      silence.stop()
      client.off('close', leave)
    }
  }

  /** Throws where the reader is sent away. */
  async #writeAll(writer: TextWriter, silence: IdleTimer): Promise<void> {
    const { pages, encoder, onError } = this.#parts
    try {
      await pages.pipeTo((events) => {
        const text = encodeAll(encoder, events)
        if (text === '') return undefined
        silence.touch()
        return writer.write(text)
      })
      await this.#end()
    } catch (error) {
      await this.#end()
      await writer.write(onError(error))
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
