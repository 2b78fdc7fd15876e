import { expect } from 'chai'
import smooth from '../../extensions/smooth-stream/index.ts'
import anthropic from '../../providers/anthropic/index.ts'
import openai from '../../providers/openai/index.ts'
import scripted from '../../providers/scripted/index.ts'
import { ReplayServer } from '../../scripts/replay/replay-server.ts'
import { streamReply } from '../../scripts/replay/replies.ts'
import { type ConfigLayer, createHost, type Host, type StreamEvent } from '../../src/core/index.ts'

type List = unknown[]

const MARK = { type: 'data', name: 'mark', data: 1, transient: true }
const EMPTY = { role: 'assistant', parts: [], content: [], output: [], usage: {} }

const eventsOf = (chunks: readonly object[]) =>
  chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join('')

const FACTS = { id: 'r', model: 'm', created: 1 }
const ANSWERS = {
  chat: eventsOf([
    { ...FACTS, choices: [{ index: 0, delta: { content: 'Hi ' } }] },
    { ...FACTS, choices: [] },
    { ...FACTS, choices: [{ index: 0, delta: { content: 'there' } }] },
    { ...FACTS, choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
  ]),
  responses: eventsOf([
    { type: 'response.created', response: { id: 'r' } },
    { type: 'response.output_text.delta', output_index: 0, content_index: 0, delta: 'Hi ' },
    { type: 'response.output_text.delta', output_index: 0, content_index: 0, delta: 'there' },
    { type: 'response.completed', response: { id: 'r', status: 'completed', output: [] } },
  ]),
  messages: eventsOf([
    { type: 'message_start', message: { id: 'r', role: 'assistant', content: [] } },
    { type: 'ping' },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hi there' } },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: 'end_turn' } },
    { type: 'message_stop' },
  ]),
}

/** A provider whose chunks are the events of its answer. */
const plain = {
  kind: 'provider',
  name: 'plain',
  async *stream() {
    yield { type: 'text-start', id: 't' }
    yield { type: 'text-delta', id: 't', delta: 'Hi' }
    yield { type: 'text-end', id: 't' }
  },
} as const

describe('the lists of events and finals that an extension is given', () => {
  let server: ReplayServer
  let host: Host
  let calls = 0
  const adding = {
    kind: 'extension',
    name: 'adding',
    processChunk: (
      ...[, partials, finals, native, state]: [unknown, List, List, unknown, object]
    ) => {
      calls++
      partials.push(MARK)
      finals.push(EMPTY)
      return [partials, finals, native, state]
    },
  }
  before(async () => {
    server = await new ReplayServer().start()
    host = await createHost({
      plugins: [openai, anthropic, scripted, plain, smooth, adding] as never,
    })
  })
  after(async () => {
    await host.close()
    await server.close()
  })

  const at = (name: string, more: object = {}): ConfigLayer => {
    const own = { api_key: 'sk-test-0123456789', base_url: server.url, max_retries: 0, ...more }
    return { provider: name, model: 'm', settings: { [name]: own } }
  }
  const script = [{ then: { reasoning: 'Hm', text: 'Hi there' } }]
  const CONFIGS: { readonly [name: string]: () => ConfigLayer } = {
    'openai, chat': () => at('openai', { api: 'chat' }),
    'openai, responses': () => at('openai', { api: 'responses' }),
    'anthropic, messages': () => at('anthropic'),
    scripted: () => ({ provider: 'scripted', settings: { scripted: { script } } }),
    'a provider of events': () => ({ provider: 'plain', model: 'm' }),
    'scripted, after smooth-stream': () => ({
      provider: 'scripted',
      enabled_plugins: ['smooth-stream'],
    }),
  }

  for (const [name, config] of Object.entries(CONFIGS)) {
    it(`are its own to change: it adds to no list of another chunk (${name})`, async () => {
      const format = name.split(', ')[1] as keyof typeof ANSWERS
      server.reply = () => streamReply(ANSWERS[format] ?? '')
      for (const _ of [1, 2]) {
        calls = 0
        const stream = host.stream(config(), 'Hello')
        const events: StreamEvent[] = []
        for await (const event of stream) events.push(event)
        const { status, messages, error } = await stream.result
        expect({ status, error }).to.deep.equal({ status: 'done', error: undefined })
        expect(calls).to.be.above(2)
        expect(events.filter(({ type }) => type === 'data')).to.have.lengthOf(calls)
        expect(messages.filter(({ parts }) => parts.length === 0)).to.have.lengthOf(calls)
      }
    })
  }
})
