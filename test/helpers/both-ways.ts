import { expect } from 'chai'
import fc from 'fast-check'
import { createAnthropic } from '../../providers/anthropic/index.ts'
import { createOpenAI } from '../../providers/openai/index.ts'
import { createOpenAICompatible } from '../../providers/openai-compatible/index.ts'
import type { ConfigLayer } from '../../src/core/config/layers.ts'
import {
  Accumulator,
  createHost,
  EventChecker,
  type Host,
  type Message,
  type StreamEvent,
} from '../../src/core/index.ts'
import type { PartialEvent } from '../../src/plugin/events/index.ts'
import { IS_EXHAUSTIVE, streamed, subjects } from '../hostile/answers.ts'
import { sampled } from './cases.ts'
import { eventProvider } from './plugins.ts'

/** One answer, as it came through a host in stream, and the same in send. */
export interface BothWays {
  readonly events: readonly StreamEvent[]
  readonly messages: readonly Message[]
}

/** What is asked of a provider that answers with these events. */
export interface Answer {
  readonly events: readonly PartialEvent[]
  readonly plugins: readonly { readonly name: string }[]
  readonly config?: ConfigLayer
  /** Hooks and values of the provider. */
  readonly provider?: object
  /** What the user says. The default is "Hello". */
  readonly prompt?: string
}

/** Has an answer in send and in stream; events are checked, and must add up to the finals of both. */
export async function bothWays(answer: Answer): Promise<BothWays> {
  const host = await hostOf(answer)
  const { events, messages, gathered } = await follow(host, answer.prompt)
  const sent = await host.send({}, answer.prompt ?? 'Hello')
  await host.close()
  expect(gathered, 'what the events add up to').to.deep.equal(messages)
  expect(sent.messages.filter(isSaid), 'send').to.deep.equal(messages)
  return { events, messages }
}

function hostOf({ events, plugins, config = {}, provider = {} }: Answer): Promise<Host> {
  const finals = gather(events)
  const call = (native: unknown, state: unknown) => [[], finals, native, state]
  const answering = eventProvider(events, { tags: ['text'], call, ...provider })
  const enabled_plugins = plugins.map(({ name }) => name)
  return createHost({ plugins: [answering, ...plugins], config: { enabled_plugins, ...config } })
}

/** Streams a request to its end. */
async function follow(host: Host, prompt = 'Hello') {
  const checker = new EventChecker()
  const events: StreamEvent[] = []
  const stream = host.stream({}, prompt)
  for await (const event of stream) {
    checker.check(event)
    events.push(event)
  }
  const { messages, status, error } = await stream.result
  expect(status, error?.message).to.equal('done')
  return {
    events,
    messages: messages.filter(isSaid),
    gathered: gather(events.filter(({ type }) => type !== 'finish')),
  }
}

/** Events do not show a message of nothing. */
function isSaid({ parts, metadata }: Message): boolean {
  return parts.length > 0 || metadata !== undefined
}

export function gather(events: readonly StreamEvent[]): readonly Message[] {
  const accumulator = new Accumulator()
  for (const event of events) accumulator.add(event)
  return accumulator.messages()
}

/** The events of a text part, one delta a piece. */
export function textPart(pieces: readonly string[], id = '1'): PartialEvent[] {
  return segment('text', pieces, id)
}

export function segment(
  kind: 'text' | 'reasoning',
  pieces: readonly string[],
  id = '1',
): PartialEvent[] {
  return [
    { type: `${kind}-start`, id },
    ...pieces.map((delta): PartialEvent => ({ type: `${kind}-delta`, id, delta })),
    { type: `${kind}-end`, id },
  ]
}

/** All that deltas say, one after the other. */
export function deltasIn(events: readonly StreamEvent[]): string[] {
  return events.flatMap((event) =>
    event.type === 'text-delta' || event.type === 'reasoning-delta' ? [event.delta] : [],
  )
}

/** Any way to cut a text into pieces. */
export function cuts(text: fc.Arbitrary<string>): fc.Arbitrary<readonly string[]> {
  return fc.tuple(text, fc.infiniteStream(fc.integer({ min: 1, max: 9 }))).map(([whole, sizes]) => {
    const pieces: string[] = []
    for (let at = 0; at < whole.length; at += pieces.at(-1)?.length ?? 1) {
      pieces.push(whole.slice(at, at + (sizes.next().value as number)))
    }
    return pieces
  })
}

/** Every nth recording where there are many; all of them in the exhaustive test. Of these the default tier takes few. */
const SAMPLE = 7
const FEW = 4

/**
 * Recorded answers of all providers, streamed and sent with and without some extensions: where the events
 * add up to the finals without them, they do so with them. Says how many were replayed.
 */
export async function replayWith(
  plugins: readonly { readonly name: string }[],
  check: (messages: readonly Message[], plain: readonly Message[]) => void = () => undefined,
  { config = {}, provider = {} }: Pick<Answer, 'config' | 'provider'> = {},
): Promise<number> {
  const answer = { body: '' }
  const without = await memoryHost(answer, { plugins: [] })
  const having = await memoryHost(answer, { plugins, config, provider })
  const some = subjects('stream').filter((_, at) => IS_EXHAUSTIVE || at < 20 || at % SAMPLE === 0)
  const streams = sampled(some, FEW)
  for (const { place, recording } of streams) {
    answer.body = recording.text
    const plain = await streamed(without, place, NOWHERE)
    const changed = await streamed(having, place, NOWHERE)
    expect(changed.status, `${recording.name}: ${changed.error}`).to.equal(plain.status)
    expect(changed.gathered, recording.name).to.deep.equal(changed.messages)
    check(changed.messages, plain.messages)
  }
  await Promise.all([without.close(), having.close()])
  return streams.length
}

const NOWHERE = 'https://nowhere.test/v1'

/** A host of all providers, whose `fetch` answers from memory. */
function memoryHost(
  answer: { readonly body: string },
  { plugins, config = {}, provider = {} }: Omit<Answer, 'events'>,
): Promise<Host> {
  const headers = { 'content-type': 'text/event-stream' }
  const fetch: typeof globalThis.fetch = async () => new Response(answer.body, { headers })
  const providers = [createAnthropic, createOpenAI, createOpenAICompatible].map((create) => ({
    ...create({ fetch }),
    ...provider,
  }))
  const enabled_plugins = plugins.map(({ name }) => name)
  return createHost({
    plugins: [...providers, ...plugins],
    config: { enabled_plugins, ...config },
  })
}
