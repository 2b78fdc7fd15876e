import { isDeepStrictEqual } from 'node:util'
import { createAnthropic } from '../../providers/anthropic/index.ts'
import { createOpenAI } from '../../providers/openai/index.ts'
import { createOpenAICompatible } from '../../providers/openai-compatible/index.ts'
import type { Place } from '../../scripts/replay/place.ts'
import type { Recording } from '../../scripts/replay/recording.ts'
import type { ReplayServer } from '../../scripts/replay/replay-server.ts'
import { configFor } from '../../scripts/replay/replayer.ts'
import {
  Accumulator,
  createHost,
  EventChecker,
  type Host,
  type Message,
  type StreamEvent,
} from '../../src/core/index.ts'
import { sampled } from '../helpers/cases.ts'
import { ownFiles, sharedFiles } from '../helpers/recordings.ts'

/** Everything, which takes long, or a sample of it. */
export const IS_EXHAUSTIVE = process.env['EXHAUSTIVE'] === '1'

/** A recorded answer, and who reads it. */
export interface Subject {
  readonly place: Place
  readonly recording: Recording
}

let all: readonly Subject[] | undefined

/** Recorded answers: our own, and those of others where they are there. They are read once. */
export function subjects(mode: Recording['mode']): readonly Subject[] {
  all ??= readSubjects()
  return all.filter(({ recording }) => recording.mode === mode)
}

function readSubjects(): readonly Subject[] {
  const own = ['openai', 'openai-compatible', 'anthropic'].flatMap(ownFiles)
  return [...own, ...sharedFiles()].flatMap(({ place, answers }) =>
    place ? answers.map((recording) => ({ place, recording })) : [],
  )
}

/**
 * Those of them that are not too large. The default tier takes one in `share`, and each test file others by
 * another `start`; the tier "cases" and the exhaustive one take all.
 */
export function someSubjects(
  mode: Recording['mode'],
  { largest, share, start = 0 }: { readonly largest: number; share: number; start?: number },
): readonly Subject[] {
  const small = subjects(mode).filter(({ recording }) => recording.text.length <= largest)
  return sampled(small, share, start)
}

/** What came of a request. */
export interface Answered {
  readonly status: string
  readonly code: string | undefined
  readonly error: string | undefined
  readonly messages: readonly Message[]
  /** What the events add up to without the help of `finish`. */
  readonly gathered: readonly Message[]
  /** All that must not depend on how the bytes came, as text. */
  readonly shown: string
}

/** What a provider may say of an answer that is not right. */
export const CODES = new Set<unknown>([
  'CONTENT_FILTERED',
  'CONTEXT_OVERFLOW',
  'INVALID_REQUEST',
  'MODEL_UNKNOWN',
  'OVERLOADED',
  'PROVIDER_FAILED',
  'PROVIDER_UNAUTHORIZED',
  'QUOTA_EXCEEDED',
  'RATE_LIMITED',
  'STREAM_INTERRUPTED',
  'TIMEOUT',
])

/** What is wrong with how a hostile answer was taken: it must end as an answer, or in a typed error. */
export function faultOf(answer: Answered): string | undefined {
  const { status, code, error, gathered, messages } = answer
  if (status !== 'done') return CODES.has(code) ? undefined : `${code}: ${error}`
  if (isDeepStrictEqual(gathered, messages)) return undefined
  const [events, finals] = [JSON.stringify(gathered), JSON.stringify(messages)]
  return `the events add up to ${events}, not to ${finals}`
}

type Body = Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | string

const STREAM = { headers: { 'content-type': 'text/event-stream' } }
const JSON_BODY = { headers: { 'content-type': 'application/json' } }

/** A host of all providers, whose `fetch` answers from memory. */
export class MemoryHost {
  readonly host: Host
  readonly #answer: { response: () => Response }

  private constructor(host: Host, answer: { response: () => Response }) {
    this.host = host
    this.#answer = answer
  }

  /** @param seen is told the signal of each request */
  static async start(seen?: (signal: AbortSignal) => void): Promise<MemoryHost> {
    const answer = { response: () => new Response('', STREAM) }
    const fetch: typeof globalThis.fetch = async (_url, { signal } = {}) => {
      if (signal) seen?.(signal)
      return answer.response()
    }
    const makers = [createAnthropic, createOpenAI, createOpenAICompatible]
    const plugins = makers.map((create) => create({ fetch }))
    return new MemoryHost(await createHost({ plugins }), answer)
  }

  /** The events of an answer that comes as this body, as they are. */
  open(place: Place, body: Body): ReturnType<Host['stream']> {
    this.#answer.response = () => new Response(body, STREAM)
    return this.host.stream(configFor(place, 'https://nowhere.test/v1'), 'Hello')
  }

  /** Streams an answer that comes as this body. */
  async stream(place: Place, body: Body): Promise<Answered> {
    this.#answer.response = () => new Response(body, STREAM)
    return streamed(this.host, place, 'https://nowhere.test/v1')
  }

  /** Has this body as the whole answer. */
  async send(place: Place, body: string, status = 200): Promise<Answered> {
    this.#answer.response = () => new Response(body, { ...JSON_BODY, status })
    const config = configFor(place, 'https://nowhere.test/v1')
    try {
      const result = await this.host.send(config, 'Hello')
      return { ...answeredOf(result), gathered: result.messages, shown: '' }
    } catch (error) {
      const { code, message } = error as Error & { code: string }
      const none = { messages: [], gathered: [], shown: '' }
      return { status: 'failed', code, error: message, ...none }
    }
  }

  async close(): Promise<void> {
    await this.host.close()
  }
}

/** Streams a request to its end, with every event checked. */
export async function streamed(host: Host, place: Place, url: string): Promise<Answered> {
  const checker = new EventChecker()
  const accumulator = new Accumulator()
  const events: StreamEvent[] = []
  const stream = host.stream(configFor(place, url), 'Hello')
  for await (const event of stream) {
    checker.check(event)
    events.push(event.type === 'start' ? { ...event, requestId: '' } : event)
    if (event.type !== 'finish') accumulator.add(event)
  }
  const result = await stream.result
  const { messages, usage, finishReason } = result
  return {
    ...answeredOf(result),
    gathered: accumulator.messages(),
    shown: JSON.stringify({ messages, usage, finishReason, events }),
  }
}

type Result = Awaited<ReturnType<Host['send']>>

function answeredOf({ status, error, messages }: Result) {
  return { status, code: error?.code, error: error?.message, messages }
}

/** A body that comes in these pieces, one a read. */
export function inPieces(pieces: Iterable<Uint8Array>): ReadableStream<Uint8Array> {
  const iterator = pieces[Symbol.iterator]()
  return new ReadableStream({
    pull(controller) {
      const next = iterator.next()
      if (next.done) controller.close()
      else controller.enqueue(next.value)
    },
  })
}

/** Waits until no socket waits for more. */
export async function settled(server: ReplayServer): Promise<void> {
  for (let turn = 0; server.open > 0 && turn < 100; turn++) {
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  if (server.open > 0) throw new Error(`${server.open} sockets are still open`)
}

/** Positions spread evenly over a length, without its ends. */
export function positions(length: number, most: number): readonly number[] {
  const count = Math.min(length - 1, most)
  return Array.from({ length: count }, (_, at) =>
    count === length - 1 ? at + 1 : Math.max(1, Math.floor(((at + 0.5) * length) / count)),
  )
}

/** Says how many cases ran, with the title of the test. */
export function counted(context: Mocha.Context, count: number): void {
  if (context.test) context.test.title += ` (${count} cases)`
}
