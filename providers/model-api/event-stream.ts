import { bodyOf, type Piece } from './body.ts'
import { apiError, interrupted, providerError, unreadable } from './errors.ts'
import { isObject, type JsonObject, parseJson } from './json.ts'
import type { Profile } from './profile.ts'

/** Characters of one event; an image of the largest size stays far below. */
const LONGEST_EVENT = 64 * 1024 * 1024
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

interface Read {
  readonly events: readonly RawEvent[]
  /** What stood in the body when it ended, without the blank line that ends an event. */
  readonly isRest: boolean
}

/**
 * The JSON events of an answer, an array for what one read of the body brought. Events of an unknown
 * kind pass; a malformed one lets what follows pass too, and fails the stream at its end.
 * @throws typed errors: an error event, malformed JSON, a page, an end before the answer's
 */
export async function* readAnswer(
  response: Response,
  profile: Profile,
  ending: Ending,
): AsyncGenerator<readonly JsonObject[], void, undefined> {
  const reading = new Reading(profile, ending)
  for await (const read of readBody(response, profile, reading)) {
    const events = reading.take(read)
    if (events.length > 0) yield events
    if (reading.isOver) break
  }
  reading.finish()
}

/** What is known of a stream while it is read. */
class Reading {
  /** Nothing more is read. */
  isOver = false
  /** The answer is there, whatever may follow. */
  isWhole = false
  /** The beginning of the body, to show where it is no stream of events. */
  head = ''
  #count = 0
  #fault: Error | undefined
  readonly #profile: Profile
  readonly #ending: Ending

  constructor(profile: Profile, ending: Ending) {
    this.#profile = profile
    this.#ending = ending
  }

  /** How it ends is known, whatever may follow. */
  get isDecided(): boolean {
    return this.isWhole || this.#fault !== undefined
  }

  take({ events, isRest }: Read): JsonObject[] {
    const taken: JsonObject[] = []
    for (const raw of events) {
      const event = this.#parse(raw, isRest)
      if (event) taken.push(event)
      if (this.isOver) break
    }
    this.#count += taken.length
    return taken
  }

  /** Throws what makes the answer unusable. */
  finish(): void {
    if (this.#fault) throw this.#fault
    if (this.isWhole) return
    if (this.#count === 0 && /^\s*[<{]/.test(this.head)) {
      throw unreadable(this.#profile, 'did not answer with a stream of events', this.head)
    }
    throw interrupted(this.#profile)
  }

  #parse({ name, data }: RawEvent, isRest: boolean): JsonObject | undefined {
    if (data === '') return undefined
    if (data === '[DONE]') {
      this.isOver = true
      this.isWhole ||= this.#ending.hasDone
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
      this.isOver = true
      return undefined
    }
    this.isWhole = this.#ending.wholeWith(event) ?? this.isWhole
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

async function* readBody(
  response: Response,
  profile: Profile,
  reading: Reading,
): AsyncGenerator<Read, void, undefined> {
  const { createParser } = await import('eventsource-parser')
  let events: RawEvent[] = []
  let isTooLong = false
  const parser = createParser({
    maxBufferSize: LONGEST_EVENT,
    onEvent: ({ event, data }) => events.push({ name: event, data }),
    onError: ({ type }) => (isTooLong ||= type === 'max-buffer-size-exceeded'),
  })
  for await (const text of textsOf(response, profile, reading)) {
    if (reading.head.length < HEAD) reading.head += text.slice(0, HEAD)
    parser.feed(text)
    if (isTooLong) throw unreadable(profile, 'sent an event of more than 64 MiB')
    if (events.length > 0) yield { events, isRest: false }
    events = []
  }
  parser.feed('\n\n')
  if (events.length > 0) yield { events, isRest: true }
}

/** The text of a body, a piece a read; what is no UTF-8 becomes U+FFFD. Its socket is let go of at the end. */
async function* textsOf(
  response: Response,
  profile: Profile,
  reading: Reading,
): AsyncGenerator<string, void, undefined> {
  const body = bodyOf(response)
  const decoder = new TextDecoder()
  try {
    for (;;) {
      const read = body.read()
      const { done, value } = await (reading.isDecided ? patiently(read) : read)
      if (done) break
      yield decoder.decode(value, { stream: true })
    }
  } catch {
    if (!reading.isDecided) {
      throw interrupted(profile, 'The connection was lost before the answer ended')
    }
  } finally {
    body.close()
  }
}

/** A read of a body that may stay open though the answer is whole: after a while it counts as its end. */
async function patiently(read: Promise<Piece>): Promise<Piece> {
  let timer: NodeJS.Timeout | undefined
  const end = new Promise<Piece>((resolve) => {
    timer = setTimeout(() => resolve({ done: true }), PATIENCE)
  })
  try {
    return await Promise.race([read, end])
  } finally {
    clearTimeout(timer)
  }
}
