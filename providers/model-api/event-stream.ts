import { isObject, type JsonObject } from '@braidwork/plugin'
import type { createParser, EventSourceParser } from 'eventsource-parser'
import type { Body, Piece } from './body.ts'
import { apiError, interrupted, providerError, unreadable } from './errors.ts'
import { parseJson } from './json.ts'
import { type Limits, tooMuch } from './limits.ts'
import { LineEnds } from './line-ends.ts'
import { patiently } from './patience.ts'
import type { Profile } from './profile.ts'
import { bodyOf } from './response.ts'
import type { Reading } from './stream.ts'

/** Lines of one event; most have one. */
const MOST_LINES = 100_000
const HEAD = 300

/** A chunk of our own after the last of the API, which may have no last one. */
export const END: JsonObject = { type: 'end', object: 'end' }

/** Milliseconds that a whole answer, or a failed one, waits for what a server still has to say. */
const PATIENCE = 2000

/** How an API ends an answer. */
export interface Ending {
  /** Whether an answer is whole with an event, or is not any more; nothing where it says neither. */
  wholeWith(event: JsonObject): boolean | undefined
  /** Whether `[DONE]` alone ends it; where it does not, proxies may add it behind a part of an answer. */
  readonly hasDone: boolean
}

interface RawEvent {
  readonly name: string | undefined
  readonly data: string
}

interface Answer {
  readonly response: Response
  readonly profile: Profile
  readonly ending: Ending
  readonly limits: Limits
}

/** What one read of the body brought. */
type Events = readonly JsonObject[] | undefined

/** A reader of an answer's events; the parser is loaded with the first. */
export async function openAnswer(answer: Answer): Promise<AnswerReader> {
  const { createParser } = await import('eventsource-parser')
  return new AnswerReader(answer, createParser)
}

/**
 * The JSON events of an answer, as they come. Events of an unknown kind pass; a malformed one lets what follows
 * pass too, and fails the stream at its end.
 */
class AnswerReader implements Reading<readonly JsonObject[]> {
  /** Nothing more is read. */
  #isOver = false
  /** The chunk behind the answer was given. */
  #isTold = false
  /** The answer is there, whatever may follow. */
  #isWhole = false
  /** The beginning of the body, to show where it is no stream of events. */
  #head = ''
  #count = 0
  #fault: Error | undefined
  #isTooLong = false
  #bytes = 0
  /** Lines of an event that has not ended. */
  #lines = 0
  /** When what a server still has to say counts as said; later where more is said. */
  #until: number | undefined
  #raw: RawEvent[] = []
  readonly #body: Body
  readonly #decoder = new TextDecoder()
  readonly #lineEnds = new LineEnds()
  readonly #parser: EventSourceParser
  readonly #profile: Profile
  readonly #ending: Ending
  readonly #limits: Limits

  constructor({ response, profile, ending, limits }: Answer, create: typeof createParser) {
    this.#body = bodyOf(response)
    this.#profile = profile
    this.#ending = ending
    this.#limits = limits
    this.#parser = create({
      maxBufferSize: limits.answer_bytes,
      onEvent: ({ event, data }) => this.#raw.push({ name: event, data }),
      onError: ({ type }) => {
        this.#isTooLong ||= type === 'max-buffer-size-exceeded'
      },
    })
  }

  /**
   * The events that one read of the body brought, then END, then nothing.
   * @throws typed errors: an error event, malformed JSON, a page, an end before the answer's
   */
  next(): Promise<Events> {
    return this.#isOver ? this.#end() : this.#read().then(this.#onPiece, this.#onLost)
  }

  /** Lets go of the connection. */
  close(): void {
    this.#body.close()
  }

  /** A piece of the body; where it is known how the answer ends, the body need not. */
  #read(): Promise<Piece> {
    const read = this.#body.read()
    if (!this.#isWhole && !this.#fault) return read
    this.#until ??= performance.now() + PATIENCE
    return patiently(read, this.#until)
  }

  readonly #onPiece = (piece: Piece): Events | Promise<Events> => {
    const events = this.#take(piece)
    return events.length > 0 ? events : this.#readOn()
  }

  /** Up to a piece that brings something. Each piece as the promise of the one before would make a chain of them. */
  async #readOn(): Promise<Events> {
    while (!this.#isOver) {
      const events = this.#take(await this.#read().catch(this.#onLost))
      if (events.length > 0) return events
    }
    return this.#end()
  }

  readonly #onLost = (): never => {
    throw interrupted(this.#profile, 'The connection was lost before the answer ended')
  }

  async #end(): Promise<Events> {
    if (this.#isTold) return undefined
    this.#finish()
    this.#isTold = true
    return [END]
  }

  #take({ done = false, value }: Piece): readonly JsonObject[] {
    this.#bytes += value?.length ?? 0
    if (this.#bytes > this.#limits.stream_bytes) throw this.#tooMuch('stream_bytes')
    // What is no UTF-8 becomes U+FFFD; the end of a body ends the event that stood in it.
    const text = done ? '\n\n' : this.#lineEnds.plain(this.#decoder.decode(value, { stream: true }))
    if (this.#head.length < HEAD && !done) this.#head += text.slice(0, HEAD)
    this.#parser.feed(text)
    if (this.#isTooLong) throw this.#tooMuch('answer_bytes')
    if (this.#raw.length === 0) this.#addLines(text)
    else this.#lines = 0
    const taken: JsonObject[] = []
    for (const raw of this.#raw) {
      const event = this.#parse(raw, done)
      if (event) taken.push(event)
      if (this.#isOver) break
    }
    this.#raw = []
    this.#count += taken.length
    this.#isOver ||= done
    if (taken.length > 0) this.#until = undefined
    return taken
  }

  /** Each line of an event takes several times its length as long as the event has not ended. */
  #addLines(text: string): void {
    for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) this.#lines++
    if (this.#lines <= MOST_LINES) return
    throw unreadable(this.#profile, `sent an event of more than ${MOST_LINES} lines`)
  }

  #tooMuch(limit: 'answer_bytes' | 'stream_bytes'): Error {
    return tooMuch(this.#profile, this.#limits, limit)
  }

  /** Throws what makes the answer unusable. */
  #finish(): void {
    if (this.#fault) throw this.#fault
    if (this.#isWhole) return
    if (this.#count === 0 && /^\s*[<{]/.test(this.#head)) {
      throw unreadable(this.#profile, 'did not answer with a stream of events', this.#head)
    }
    throw interrupted(this.#profile)
  }

  #parse({ name, data }: RawEvent, isRest: boolean): JsonObject | undefined {
    if (data === '') return undefined
    if (data === '[DONE]') {
      this.#isOver = true
      this.#isWhole ||= this.#ending.hasDone
      return undefined
    }
    try {
      const event = parseJson(data)
      return isObject(event) ? this.#accept(event, name) : undefined
    } catch (error) {
      // A cut-off event is not malformed: the stream was interrupted.
      if (!isRest) this.#fault ??= malformed(this.#profile, data, error)
      return undefined
    }
  }

  #accept(event: JsonObject, name: string | undefined): JsonObject | undefined {
    const error = errorIn(event, name)
    if (error !== undefined) {
      this.#fault ??= apiError(this.#profile, error)
      this.#isOver = true
      return undefined
    }
    this.#isWhole = this.#ending.wholeWith(event) ?? this.#isWhole
    return event
  }
}

/** The error that an event carries: as a member, by its type, or by its name. */
function errorIn(event: JsonObject, name: string | undefined): unknown {
  const { type, error, object, x_groq: own, choices } = event
  if (error) return error
  if (type === 'response.failed') return failureIn(event['response'])
  if (isObject(own) && own['error']) return own['error']
  const failed = Array.isArray(choices) ? choices.find(hasError) : undefined
  if (failed) return failed['error']
  return object === 'error' || type === 'error' || name === 'error' ? event : undefined
}

function failureIn(response: unknown): unknown {
  const error = isObject(response) ? response['error'] : undefined
  return error ?? { message: 'the response failed' }
}

function hasError(choice: unknown): choice is JsonObject {
  return isObject(choice) && Boolean(choice['error'])
}

function malformed({ title }: Profile, data: string, error: unknown): Error {
  const reason = error instanceof Error ? error.message : String(error)
  return providerError(
    'PROVIDER_FAILED',
    `${title} sent an event that is no JSON (${reason}): ${JSON.stringify(data.slice(0, 120))}`,
    { retryable: true },
  )
}
