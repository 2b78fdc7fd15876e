import anthropic, { createAnthropic } from '../../../providers/anthropic/index.ts'
import { streamText } from '../../../scripts/replay/envelope.ts'
import type { Recording } from '../../../scripts/replay/recording.ts'
import type { ReplayServer } from '../../../scripts/replay/replay-server.ts'
import {
  type CallerTool,
  type ConfigLayer,
  createHost,
  type Host,
  type Message,
} from '../../../src/core/index.ts'
import { ownFiles, sharedFiles } from '../../helpers/recordings.ts'
import { type Settings, type Streamed, streamed } from '../openai/asking.ts'

/** A config that asks a server on loopback; retries are off, so that an error is the first answer's. */
export function configFor(
  { url }: Pick<ReplayServer, 'url'>,
  settings: Settings = {},
  more: ConfigLayer = {},
): ConfigLayer {
  const { model = 'claude-sonnet-4-5' } = more
  const api = { api_key: 'sk-ant-test-0123456789', base_url: url, max_retries: 0 }
  const own = { ...api, models: [model], ...settings }
  return {
    provider: 'anthropic',
    model,
    settings: { anthropic: own },
    ...more,
  }
}

export const NOWHERE = { url: 'https://nowhere.test' }

export async function anthropicHost(): Promise<Host> {
  return createHost({ plugins: [anthropic] })
}

/** A host that offers tools of these names. */
export async function hostWithTools(names: readonly string[]): Promise<Host> {
  const input_schema = { type: 'object' }
  const schemas = names.map((name) => ({ name, description: name, input_schema }))
  const tools = { kind: 'tool', name: 'many', getToolSchemas: () => schemas }
  return createHost({ plugins: [anthropic, tools] })
}

/** A host whose provider gets this body without any socket. */
export async function hostAnswered(
  bodyOf: () => string,
  type = 'text/event-stream',
): Promise<Host> {
  const fetch: typeof globalThis.fetch = async () =>
    new Response(bodyOf(), { headers: { 'content-type': type } })
  return createHost({ plugins: [createAnthropic({ fetch })] })
}

/** Streams what these events make, with every event checked. */
export async function streamedEvents(events: readonly object[]): Promise<Streamed> {
  const lines = events.map((event) => JSON.stringify(event))
  const host = await hostAnswered(() => streamText('messages', lines))
  return streamed(host, configFor(NOWHERE))
}

/** What the API was sent, and what the caller was warned of. */
export interface Asked {
  readonly body: { readonly [field: string]: unknown }
  readonly headers: Headers
  readonly warnings: readonly string[]
}

export interface Asking {
  readonly settings?: Settings
  readonly more?: ConfigLayer
  readonly tools?: readonly CallerTool[]
}

/** Sends a request, which is answered with a word, and gives what was sent. */
export async function asked(
  messages: string | readonly Message[],
  { settings = {}, more = {}, tools = [] }: Asking = {},
): Promise<Asked> {
  const seen: { body?: Asked['body']; headers?: Headers } = {}
  const fetch: typeof globalThis.fetch = async (_input, init) => {
    seen.body = JSON.parse(String(init?.body)) as Asked['body']
    seen.headers = new Headers(init?.headers)
    return Response.json({ content: [{ type: 'text', text: 'Hi' }], stop_reason: 'end_turn' })
  }
  await using host = await createHost({ plugins: [createAnthropic({ fetch })] })
  const { warnings } = await host.send(configFor(NOWHERE, settings, more), messages, { tools })
  return { body: seen.body ?? {}, headers: seen.headers ?? new Headers(), warnings }
}

/** Messages in fewer words. */
export const user = (...parts: Message['parts']): Message => ({ role: 'user', parts })
export const assistant = (...parts: Message['parts']): Message => ({ role: 'assistant', parts })
export const tool = (...parts: Message['parts']): Message => ({ role: 'tool', parts })
export const text = (said: string) => ({ type: 'text', text: said }) as const
export const hello = user(text('Hello'))

/** Recordings of other people, where they are there, and our own. */
export function recordings(): readonly Recording[] {
  const shared = sharedFiles().filter(({ place }) => place?.provider === 'anthropic')
  return [...ownFiles('anthropic'), ...shared].flatMap(({ answers }) => answers)
}

export function ownRecording(name: string): Recording {
  const found = recordings().find((recording) => recording.name === name)
  if (!found) throw new Error(`no recording ${name}`)
  return found
}
