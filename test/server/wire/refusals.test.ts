import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import OpenAI from 'openai'
import { createOpenAI } from '../../../providers/openai/index.ts'
import type { PartialEvent } from '../../../src/plugin/events/index.ts'
import { type JsonAnswer, Served } from '../routes/served.ts'
import { answerOf, CHAT_COMPLETIONS, framesOf, RESPONSES } from './api-protocols.ts'
import { sseFrames } from './frames.ts'
import { factsOf, runOf } from './runs.ts'

const RECORDINGS = join(import.meta.dirname, '../../providers/openai/fixtures')
const MODELS = { chat: 'chat', responses: 'responses' } as const
const WORDS = "I won't."
const KEY = 'sk-test-0123456789'

/** A server in front of OpenAI's two APIs, whose models refuse to answer. */
function serveRefusals(): Promise<Served> {
  const fetch: typeof globalThis.fetch = async (input) => {
    const api = String(input).endsWith('/responses') ? 'responses' : 'chat'
    const lines = readFileSync(join(RECORDINGS, api, 'refusal.chunks.txt'), 'utf8').trim()
    const text = lines.replaceAll(/^/gm, 'data: ').replaceAll('\n', '\n\n')
    return new Response(`${text}\n\n`, { headers: { 'content-type': 'text/event-stream' } })
  }
  const modelFor = (api: keyof typeof MODELS) => {
    const settings = { openai: { api, api_key: KEY, base_url: 'https://nowhere.test/v1' } }
    return { config: { provider: 'openai', model: 'gpt-test', settings } }
  }
  const models = { chat: modelFor('chat'), responses: modelFor('responses') }
  return Served.start({ models }, { plugins: [createOpenAI({ fetch })], config: {} })
}

/** The client of OpenAI, which asks a server without a socket. */
function clientOf(served: Served): OpenAI {
  const fetch: typeof globalThis.fetch = (input, init) => {
    const { pathname } = new URL(String(input))
    return served.fetch(pathname, {
      method: init?.method ?? 'GET',
      ...(init?.body ? { body: String(init.body) } : {}),
    })
  }
  return new OpenAI({ baseURL: 'http://nowhere.test/v1', apiKey: KEY, maxRetries: 0, fetch })
}

const said = (id: string, text: string, own?: object): readonly PartialEvent[] => [
  { type: 'text-start', id, ...(own ? { providerMetadata: { any: own } } : {}) },
  { type: 'text-delta', id, delta: text },
  { type: 'text-end', id, ...(own ? { providerMetadata: { any: own } } : {}) },
]

describe('a refusal of a model', () => {
  let served: Served
  let client: OpenAI
  before(async () => {
    served = await serveRefusals()
    client = clientOf(served)
  })
  after(() => served.close())

  for (const model of Object.values(MODELS)) {
    it(`of the API ${model} is the refusal of a chat completion`, async () => {
      const asked = { model, messages: [{ role: 'user' as const, content: 'Hello' }] }
      const whole = await client.chat.completions.create(asked)
      const streamed = await client.chat.completions.stream(asked).finalChatCompletion()
      for (const { choices } of [whole, streamed]) {
        expect(choices[0]?.message.content || null).to.equal(null)
        expect(choices[0]?.message.refusal).to.equal(WORDS)
        expect(choices[0]?.finish_reason).to.equal('stop')
      }
      expect(whole.choices[0]?.message.content).to.equal(null)
    })

    it(`of the API ${model} is the refusal of a response, which is stored as one`, async () => {
      const types: string[] = []
      const stream = client.responses.stream({ model, input: 'Hello', store: true })
      for await (const { type } of stream) if (type.includes('refusal')) types.push(type)
      expect(types).to.deep.equal([
        ...Array<string>(model === 'chat' ? 2 : 1).fill('response.refusal.delta'),
        'response.refusal.done',
      ])
      const streamed = await stream.finalResponse()
      const stored = await client.responses.retrieve(streamed.id)
      const whole = await client.responses.create({ model, input: 'Hello' })
      for (const { status, incomplete_details: why, output } of [streamed, stored, whole]) {
        expect({ status, why }).to.deep.equal({ status: 'completed', why: null })
        const parts = output.flatMap((item) => (item.type === 'message' ? item.content : []))
        const told = parts.map((part) => [part.type, part.type === 'refusal' && part.refusal])
        expect(told).to.deep.equal([['refusal', WORDS]])
      }
    })
  }

  it('stays a refusal of Anthropic Messages', async () => {
    const body = { model: 'chat', max_tokens: 9, messages: [{ role: 'user', content: 'Hello' }] }
    const { json } = await served.ask('/v1/messages', { body })
    expect(json).to.include({ stop_reason: 'refusal' })
  })

  it('is the end of an answer only where it is the last text', () => {
    const finish = { finishReason: 'content-filter', usage: {} } as const
    const cases = [
      [said('1', 'No.', { refusal: true }), 'stop', 'completed'],
      [[...said('1', 'Yes.'), ...said('2', 'No.', { refusal: true })], 'stop', 'completed'],
      [
        [...said('1', 'No.', { refusal: true }), ...said('2', 'Yes.')],
        'content_filter',
        'incomplete',
      ],
      [said('1', 'No.', { refusal: 'a reason' }), 'content_filter', 'incomplete'],
    ] as const
    for (const [events, reason, status] of cases) {
      const run = runOf(events).map((event) => ({
        ...event,
        ...(event.type === 'finish' ? finish : {}),
      }))
      const chunks = framesOf(CHAT_COMPLETIONS, run).flatMap((text) => sseFrames(text))
      expect(chunks.some(({ data }) => data.includes(`"finish_reason":"${reason}"`))).to.equal(true)
      const asked = { model: 'm', messages: [{ role: 'user', content: 'Hello' }] }
      const completion = answerOf(CHAT_COMPLETIONS, asked, run, factsOf()) as { body: JsonAnswer }
      expect(JSON.stringify(completion.body)).to.include(`"finish_reason":"${reason}"`)
      const last = framesOf(RESPONSES, run)
        .flatMap((text) => sseFrames(text))
        .at(-1)
      const { response } = JSON.parse(last?.data ?? '') as JsonAnswer
      const whole = answerOf(RESPONSES, { model: 'm', input: 'Hello' }, run, factsOf())
      expect((whole as { body: JsonAnswer }).body).to.deep.equal(response)
      expect(response).to.include({ status })
    }
  })

  it('has no sources', () => {
    const source = { type: 'source', url: 'https://a.test/' } as const
    const run = runOf([...said('1', 'No.', { refusal: true }), source])
    const last = framesOf(RESPONSES, run)
      .flatMap((text) => sseFrames(text))
      .at(-1)
    expect(last?.data).to.include('[{"type":"refusal","refusal":"No."}]')
  })
})
