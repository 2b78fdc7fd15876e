import { isObject, type JsonObject } from '@braidwork/plugin'
import type { EventSourceMessage } from 'eventsource-parser'
import { type Body, drain, type Piece } from '../body/body.ts'
import { patiently } from '../body/patience.ts'
import { bodyOf } from '../body/response.ts'
import type { Reading } from '../body/stream.ts'
import { TextPieces } from '../body/text-pieces.ts'
import { apiError, interrupted, providerError, unreadable } from '../errors.ts'
import { type Limits, tooMuch } from '../limits.ts'
import type { Profile } from '../profile.ts'
import { errorIn } from './event-errors.ts'
import type { FrameOptions, FrameParser, Framing } from './framing.ts'
import { JsonLinesParser } from './json-lines.ts'
import { parserFor, type TemplateParser } from './template-parser.ts'

/** Maximum number of lines in one event. Most events have one. */
const MOST_LINES = 100_000
const HEAD = 300

/** An extra chunk added after the API's last one, since some APIs send no final chunk. */
export const END: JsonObject = { type: 'end', object: 'end' }

/** Milliseconds to wait for more data after a complete or failed answer. */
const PATIENCE = 2000

/** The rules by which an API's answers end. */
export interface Ending {
  /** Whether the answer is complete after this event; `undefined` if the event does not decide that. */
  wholeWith(event: JsonObject): boolean | undefined
  /** Whether `[DONE]` alone ends an answer. If not, a proxy may send it after an incomplete one. */
  readonly hasDone: boolean
  /** Whether an answer is complete where its body ends. If not, `wholeWith` must have said so. */
  readonly endsWithBody?: boolean
  /** The error in an event, beside those that all APIs have. */
  readonly errorIn?: (event: JsonObject) => unknown
}

interface Answer {
  readonly response: Response
  readonly profile: Profile
  readonly ending: Ending
  readonly framing: Framing
  readonly limits: Limits
}

/** The events from one read of the body; `undefined` at the end. */
type Events = readonly JsonObject[] | undefined

let parser: Promise<typeof import('eventsource-parser')> | undefined

/** Opens a reader for an answer's events. The parser module is loaded at first use. */
export async function openAnswer(answer: Answer): Promise<AnswerReader> {
  if (answer.framing === 'ndjson')
    return new AnswerReader(answer, (options) => new JsonLinesParser(options))
  // Another `import` of a loaded module costs as much as reading ten events.
  parser ??= import('eventsource-parser')
  const { createParser } = await parser
  return new AnswerReader(answer, createParser)
}

/**
 * Reads the JSON events of an answer as they arrive. Events of unknown type are passed on. After a malformed event
 * later events are still passed on, and the stream fails at its end.
 */
class AnswerReader implements Reading<readonly JsonObject[]> {
  /** True when nothing more will be read. */
  #isOver = false
  /** True after the END chunk was returned. */
  #isTold = false
  /** True when the answer is complete, although more data may follow. */
  #isWhole = false
  /** The beginning of the body, quoted in the error if the body is not an event stream. */
  #head = ''
  #count = 0
  #fault: Error | undefined
  #isTooLong = false
  #bytes = 0
  /** Lines of the current, unfinished event. */
  #lines = 0
  /** The time until which to wait for more data after a complete answer. More data extends it. */
  #until: number | undefined
  /** The JSON events of the current piece. */
  #taken: JsonObject[] = []
  /** Whether an event, of whatever kind, ended in the current piece. */
  #hasEvent = false
  /** True when the body has ended. */
  #isRest = false
  readonly #body: Body
  readonly #texts = new TextPieces()
  readonly #parser: FrameParser
  readonly #json: TemplateParser
  readonly #profile: Profile
  readonly #ending: Ending
  readonly #limits: Limits

  constructor(
    { response, profile, ending, limits }: Answer,
    create: (options: FrameOptions) => FrameParser,
  ) {
    this.#body = bodyOf(response)
    this.#profile = profile
    this.#json = parserFor(profile.name)
    this.#ending = ending
    this.#limits = limits
    this.#parser = create({
      maxBufferSize: limits.answer_bytes,
      onEvent: this.#onEvent,
      onError: ({ type }) => {
        this.#isTooLong ||= type === 'max-buffer-size-exceeded'
      },
    })
  }

  /**
   * Returns the events from one read of the body, which may be none, then END, then `undefined`.
   * @throws typed errors for an error event, malformed JSON, an HTML page, or a body that ends too early
   */
  next(): Promise<Events> {
    return this.#isOver ? this.#end() : this.#read().then(this.#onPiece, this.#onLost)
  }

  /** Closes the connection, or keeps it for the next request if the answer is complete. */
  close(): void {
    if (this.#isTold) void drain(this.#body)
    else this.#body.close()
  }

  /** Reads a piece. Once the outcome of the answer is known, a body that stays open or breaks counts as ended. */
  #read(): Promise<Piece> {
    const read = this.#body.read()
    if (!this.#isWhole && !this.#fault) return read
    this.#until ??= performance.now() + PATIENCE
    return patiently(read, this.#until)
  }

  /**
   * The events of a piece. A piece without any, such as a comment or a part of an event, is an empty list: the server is
   * alive, and `limits.stream_idle` counts the time since then.
   */
  readonly #onPiece = (piece: Piece): Events | Promise<Events> => {
    const events = this.#take(piece)
    return events.length > 0 || !this.#isOver ? events : this.#end()
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
    // At the end of the body, an empty line ends the last event.
    const text = value ? this.#texts.next(value) : '\n\n'
    if (this.#head.length < HEAD && !done) this.#head += text.slice(0, HEAD)
    this.#isRest = done
    this.#hasEvent = false
    this.#parser.feed(text)
    if (this.#isTooLong) throw this.#tooMuch('answer_bytes')
    if (this.#hasEvent) this.#lines = 0
    else this.#addLines(text)
    this.#isOver ||= done
    return this.#handOver()
  }

  /** The events of the piece. They are not kept here: an answer that waits for its next piece would hold them. */
  #handOver(): readonly JsonObject[] {
    const taken = this.#taken
    if (taken.length === 0) return taken
    this.#taken = []
    this.#count += taken.length
    this.#until = undefined
    return taken
  }

  /** Counts lines: until its end, an event needs several times its size in memory. */
  #addLines(text: string): void {
    for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) this.#lines++
    if (this.#lines <= MOST_LINES) return
    throw unreadable(this.#profile, `sent an event of more than ${MOST_LINES} lines`)
  }

  #tooMuch(limit: 'answer_bytes' | 'stream_bytes'): Error {
    return tooMuch(this.#profile, this.#limits, limit)
  }

  /** Ends the stream, and throws if the answer is unusable. */
  #finish(): void {
    if (this.#fault) throw this.#fault
    if (this.#isWhole || (this.#ending.endsWithBody && this.#count > 0)) return
    if (this.#count === 0 && /^\s*[<{]/.test(this.#head)) {
      throw unreadable(this.#profile, 'did not answer with a stream of events', this.#head)
    }
    throw interrupted(this.#profile)
  }

  readonly #onEvent = ({ event: name, data }: EventSourceMessage): void => {
    this.#hasEvent = true
    if (this.#isOver || data === '') return
    if (data === '[DONE]') {
      this.#isOver = true
      this.#isWhole ||= this.#ending.hasDone
      return
    }
    try {
      const event = this.#json.parse(data)
      if (isObject(event)) this.#accept(event, name)
    } catch (error) {
      // A malformed rest at the end of the body means an interrupted stream, not a malformed event.
      if (!this.#isRest) this.#fault ??= malformed(this.#profile, data, error)
    }
  }

  #accept(event: JsonObject, name: string | undefined): void {
    const error = this.#ending.errorIn?.(event) ?? errorIn(event, name)
    if (error === undefined) {
      this.#isWhole = this.#ending.wholeWith(event) ?? this.#isWhole
      // Most pieces have one event, for which a list that grows would be three times as large.
      if (this.#taken.length === 0) this.#taken = [event]
      else this.#taken.push(event)
      return
    }
    this.#fault ??= apiError(this.#profile, error)
    this.#isOver = true
  }
}

function malformed({ title }: Profile, data: string, error: unknown): Error {
  const reason = error instanceof Error ? error.message : String(error)
  return providerError(
    'PROVIDER_FAILED',
    `${title} sent an event that is not JSON (${reason}): ${JSON.stringify(data.slice(0, 120))}`,
    { retryable: true },
  )
}
