import openaiCompatible, {
  createOpenAICompatible,
} from '../../../providers/openai-compatible/index.ts'
import type { ReplayServer } from '../../../scripts/replay/replay-server.ts'
import { type ConfigLayer, createHost, type Host } from '../../../src/core/index.ts'
import { type Streamed, streamed } from '../openai/asking.ts'

export interface Settings {
  readonly [key: string]: unknown
}

/** A config with these settings of the provider. */
export function configWith(settings: Settings, more: ConfigLayer = {}): ConfigLayer {
  const { model = 'some-model' } = more
  return {
    provider: 'openai-compatible',
    model,
    settings: { 'openai-compatible': { models: [model], ...settings } },
    ...more,
  }
}

/** A config that asks a server on loopback; retries are off, so that an error is the first answer's. */
export function configFor(
  { url }: Pick<ReplayServer, 'url'>,
  settings: Settings = {},
  more: ConfigLayer = {},
): ConfigLayer {
  return configWith(
    { api_key: 'sk-test-0123456789', base_url: url, max_retries: 0, ...settings },
    more,
  )
}

export async function compatibleHost(): Promise<Host> {
  return createHost({ plugins: [openaiCompatible] })
}

/** A host whose provider gets this body without any socket. */
export async function hostAnswered(
  bodyOf: () => string,
  type = 'text/event-stream',
): Promise<Host> {
  const fetch: typeof globalThis.fetch = async () =>
    new Response(bodyOf(), { headers: { 'content-type': type } })
  return createHost({ plugins: [createOpenAICompatible({ fetch })] })
}

const NOWHERE = { url: 'https://nowhere.test/v1' }

/** Streams what these chunks make, with every event checked. */
export async function streamedChunks(
  chunks: readonly object[],
  ending = 'data: [DONE]\n\n',
): Promise<Streamed> {
  const text = chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join('')
  return streamedText(text + ending)
}

export async function streamedText(text: string): Promise<Streamed> {
  const host = await hostAnswered(() => text)
  return streamed(host, configFor(NOWHERE))
}

/** Sends a request that this body answers. */
export async function sent(
  body: object,
  settings: Settings = {},
): Promise<Awaited<ReturnType<Host['send']>>> {
  const host = await hostAnswered(() => JSON.stringify(body), 'application/json')
  return host.send(configFor(NOWHERE, settings), 'Hello')
}
