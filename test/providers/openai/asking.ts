import openai, { createOpenAI } from '../../../providers/openai/index.ts'
import type { ReplayServer } from '../../../scripts/replay/replay-server.ts'
import {
  Accumulator,
  type ConfigLayer,
  createHost,
  EventChecker,
  type Host,
  type Message,
  type StreamEvent,
} from '../../../src/core/index.ts'
import type { Recording } from './recordings.ts'

export { replyOf } from '../../../scripts/replay/recording.ts'

export interface Settings {
  readonly [key: string]: unknown
}

/** A config that asks a server on loopback; retries are off, so that an error is the first answer's. */
export function configFor(
  server: Pick<ReplayServer, 'url'>,
  settings: Settings = {},
  more: ConfigLayer = {},
): ConfigLayer {
  const openai = {
    api_key: 'sk-test-0123456789',
    base_url: server.url,
    max_retries: 0,
    ...settings,
  }
  return { provider: 'openai', model: 'gpt-4.1', settings: { openai }, ...more }
}

export async function openaiHost(): Promise<Host> {
  return createHost({ plugins: [openai] })
}

export interface Streamed {
  readonly events: readonly StreamEvent[]
  /** What the events add up to without the help of `finish`. */
  readonly gathered: readonly Message[]
  readonly result: Awaited<ReturnType<Host['stream']>['result']>
}

/** Streams a request to its end, with every event checked. */
export async function streamed(
  host: Host,
  config: ConfigLayer,
  messages: string | readonly Message[] = 'Hello',
  signal?: AbortSignal,
): Promise<Streamed> {
  const checker = new EventChecker()
  const accumulator = new Accumulator()
  const events: StreamEvent[] = []
  const stream = host.stream(config, messages, signal ? { signal } : {})
  for await (const event of stream) {
    checker.check(event)
    events.push(event)
    if (event.type !== 'finish') accumulator.add(event)
  }
  return { events, gathered: accumulator.messages(), result: await stream.result }
}

/** A host whose provider gets this stream without any socket. */
export async function hostAnswered(bodyOf: () => string | Uint8Array<ArrayBuffer>): Promise<Host> {
  const headers = { 'content-type': 'text/event-stream' }
  const fetch: typeof globalThis.fetch = async () => new Response(bodyOf(), { headers })
  return createHost({ plugins: [createOpenAI({ fetch })] })
}

export const NOWHERE = { url: 'https://nowhere.test/v1' }

/** Streams what these events make, with every event checked. */
export async function streamedEvents(
  api: Recording['api'],
  events: readonly (object | string)[],
  end = '',
): Promise<Streamed> {
  const lines = events.map((event) => (typeof event === 'string' ? event : JSON.stringify(event)))
  const host = await hostAnswered(() => lines.map((line) => `data: ${line}\n\n`).join('') + end)
  return streamed(host, configFor(NOWHERE, { api }))
}
