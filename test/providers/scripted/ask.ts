import { expect } from 'chai'
import scripted from '../../../providers/scripted/index.ts'
import { type ChainRequest, send, stream } from '../../../src/core/chain/index.ts'
import { resolve } from '../../../src/core/resolve/resolve.ts'
import { MemoryValues } from '../../../src/core/storage.ts'
import type { CallerTool } from '../../../src/core/tool-schemas/offered-tools.ts'
import type { Config } from '../../../src/plugin/config.ts'
import { createContexts } from '../../../src/plugin/context.ts'
import {
  Accumulator,
  EventChecker,
  type Message,
  type PartialEvent,
  type ToolCallPart,
  textOf,
  toMessages,
} from '../../../src/plugin/events/index.ts'
import type { AnyPlugin } from '../../../src/plugin/plugin.ts'
import calculator from '../../../tools/calculator/index.ts'
import clock from '../../../tools/clock/index.ts'
import { drain } from '../../helpers/plugins.ts'

/** The plugins of the first program. */
export const PLUGINS = [scripted, calculator, clock] as unknown as readonly AnyPlugin[]

interface More {
  readonly tools?: readonly CallerTool[]
  readonly plugins?: readonly AnyPlugin[]
  readonly signal?: AbortSignal
  readonly storage?: MemoryValues
}

type Pair = readonly [when: object | undefined, then: object]

/** Rules as a script has them; literals with a `then` look like promises to the linter. */
export function rules(...pairs: readonly Pair[]): readonly object[] {
  return pairs.map(([when, then]) =>
    Object.fromEntries([...(when ? [['when', when]] : []), ['then', then]]),
  )
}

/** A config for the scripted provider, without delays. */
export function configOf(settings: object = {}, more: Config = {}): Config {
  const { settings: others, ...rest } = more
  return { settings: { ...others, scripted: { delay_ms: 0, ...settings } }, ...rest }
}

export function scripting(...pairs: readonly Pair[]): Config {
  return configOf({ script: rules(...pairs) })
}

export async function requestOf(
  input: string | readonly Message[],
  config: Config,
  warnings: string[],
  { plugins = PLUGINS, tools, signal, storage = new MemoryValues() }: More,
): Promise<ChainRequest> {
  const resolved = await resolve(plugins, config)
  const model = resolved.config.model ?? ''
  const contextOf = createContexts({
    signal: signal ?? new AbortController().signal,
    log: () => undefined,
    warn: (_plugin, message) => void warnings.push(message),
    emit: () => undefined,
    configOf: () => resolved.config,
    settingsOf: (plugin) => resolved.config.settings?.[plugin] ?? {},
    tags: resolved.tags,
    modelInfo: scripted.getModelInfo(model),
    requestId: 'request',
    storageOf: (plugin) => storage.storageOf(plugin),
  })
  return {
    plugins: resolved.plugins,
    config: resolved.config,
    messages: typeof input === 'string' ? toMessages(input) : input,
    partials: 'events',
    contextOf,
    ...(tools ? { tools } : {}),
    ...(signal ? { signal } : {}),
  }
}

export interface Asked {
  readonly message: Message
  readonly text: string
  readonly calls: readonly ToolCallPart[]
  readonly events: readonly PartialEvent[]
  readonly warnings: readonly string[]
}

/** One answer, asked for both ways; both ways, and the events, come to the same. CL-42 */
export async function ask(
  input: string | readonly Message[],
  config: Config = configOf(),
  more: More = {},
): Promise<Asked> {
  const warnings: string[] = []
  const request = await requestOf(input, config, warnings, more)
  const streamed = await drain((show) => stream(request, show))
  const sent = await send(await requestOf(input, config, [], more))
  const events = streamed.partials.flat() as PartialEvent[]
  const { finals } = streamed.outcome
  expect(sent.finals).to.deep.equal(finals)
  expect(gather(events)).to.deep.equal(finals)
  const [message] = finals as Message[]
  if (!message) throw new Error('there is no final')
  const calls = message.parts.filter((part) => part.type === 'tool-call')
  return { message, text: textOf(message), calls, events, warnings }
}

/** Events added up, each checked. */
function gather(events: readonly PartialEvent[]): readonly Message[] {
  const accumulator = new Accumulator()
  const checker = new EventChecker()
  for (const event of events) {
    checker.check(event)
    accumulator.add(event)
  }
  checker.check({ type: 'finish', finishReason: 'stop', usage: {}, messages: [] })
  return accumulator.messages()
}

export function user(text: string): Message {
  return { role: 'user', parts: [{ type: 'text', text }] }
}

export function assistant(text: string): Message {
  return { role: 'assistant', parts: [{ type: 'text', text }] }
}

/** A call and its result, as a step leaves them. */
export function called(
  name: string,
  input: unknown,
  output: unknown,
  more: object = {},
): Message[] {
  const callId = `earlier-${name}`
  return [
    { role: 'assistant', parts: [{ type: 'tool-call', callId, name, input }] },
    { role: 'tool', parts: [{ type: 'tool-result', callId, name, output, ...more }] },
  ]
}

/** A tool of the caller with these properties, all of them required unless said otherwise. */
export function tool(
  name: string,
  properties: object = {},
  required: readonly string[] = Object.keys(properties),
): CallerTool {
  return { name, description: '', input_schema: { type: 'object', properties, required } }
}
