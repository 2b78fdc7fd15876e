import type { GenerateResult, StreamPart } from '../../src/ai-sdk/answer-types.ts'
import type { CallOptions } from '../../src/ai-sdk/call-types.ts'
import { asLanguageModel, type LanguageModel7 } from '../../src/ai-sdk/index.ts'
import { type ConfigLayer, createHost, type Host, type Message } from '../../src/core/index.ts'
import type { Config } from '../../src/plugin/config.ts'
import type { AnyPlugin } from '../../src/plugin/plugin.ts'
import { eventProvider } from '../helpers/plugins.ts'

/** What a provider was asked. */
export interface Seen {
  readonly messages: readonly Message[]
  readonly config: Config
}

/** A model whose provider answers with these events, and the requests that it has seen. */
export interface Listening {
  readonly host: Host
  readonly model: LanguageModel7
  readonly seen: Seen[]
}

export interface ListeningOptions {
  readonly config?: ConfigLayer
  readonly provider?: object
  readonly plugins?: readonly AnyPlugin[]
}

/** Opens a config whose provider answers with these events. Close the host afterwards. */
export async function listening(
  events: readonly unknown[],
  { config = {}, provider = {}, plugins = [] }: ListeningOptions = {},
): Promise<Listening> {
  const seen: Seen[] = []
  let last: Config = {}
  const own = eventProvider(events, {
    init: (given: Config) => {
      last = given
      return {}
    },
    toNative: (messages: readonly Message[]) => {
      seen.push({ messages, config: last })
      return {}
    },
    ...provider,
  })
  const host = await createHost({ plugins: [own, ...plugins] })
  return { host, model: asLanguageModel(await host.open(config)), seen }
}

export const PROMPT: CallOptions['prompt'] = [
  { role: 'user', content: [{ type: 'text', text: 'Hello' }] },
]

/** The parts that a model streams for these events. */
export async function partsOf(
  events: readonly unknown[],
  options: Partial<CallOptions> = {},
): Promise<StreamPart[]> {
  const { host, model } = await listening(events)
  try {
    const { stream } = await model.doStream({ prompt: PROMPT, ...options })
    return await all(stream)
  } finally {
    await host.close()
  }
}

/** The whole answer that a model makes of these events. */
export async function resultOf(events: readonly unknown[]): Promise<GenerateResult> {
  const { host, model } = await listening(events)
  try {
    return await model.doGenerate({ prompt: PROMPT })
  } finally {
    await host.close()
  }
}

/** What a provider is asked for a call. */
export async function askedOf(
  options: Partial<CallOptions>,
  more: ListeningOptions = {},
): Promise<Seen & { readonly warnings: readonly object[] }> {
  const { host, model, seen } = await listening(text('fine'), more)
  try {
    const { warnings } = await model.doGenerate({ prompt: PROMPT, ...options })
    const [first] = seen
    if (!first) throw new Error('the provider was not asked')
    return { ...first, warnings }
  } finally {
    await host.close()
  }
}

/** The events of one text. */
export function text(words: string): readonly object[] {
  return [
    { type: 'text-start', id: '1' },
    { type: 'text-delta', id: '1', delta: words },
    { type: 'text-end', id: '1' },
  ]
}

export async function all<T>(stream: ReadableStream<T>): Promise<T[]> {
  const parts: T[] = []
  for await (const part of stream as unknown as AsyncIterable<T>) parts.push(part)
  return parts
}
