import { existsSync } from 'node:fs'
import { expect } from 'chai'
import anthropic from '../../providers/anthropic/index.ts'
import openai from '../../providers/openai/index.ts'
import openaiCompatible from '../../providers/openai-compatible/index.ts'
import type { Place } from '../../scripts/replay/place.ts'
import { configFor } from '../../scripts/replay/replayer.ts'
import {
  type ConfigLayer,
  createHost,
  type Host,
  type Message,
  textOf,
} from '../../src/core/index.ts'

const PEERS = new URL('../peers/', import.meta.url)
const ENTRY = new URL('node_modules/@copilotkit/aimock/dist/index.js', PEERS)

/** What is used of the mock server: it is there only where the peers are installed. */
interface Mock {
  readonly url: string
  on(
    match: { readonly userMessage: string; readonly hasToolResult?: boolean },
    response: object,
    options?: object,
  ): Mock
  reset(): Mock
  stop(): Promise<void>
}

const PLACES: readonly (Place & { readonly path: string })[] = [
  { provider: 'openai', api: 'chat', path: '/v1' },
  { provider: 'openai', api: 'responses', path: '/v1' },
  { provider: 'openai-compatible', api: 'chat', path: '/v1' },
  { provider: 'anthropic', api: 'messages', path: '' },
]

const MODES = ['send', 'stream'] as const
const HELLO = { userMessage: 'Hello' }
const TEXT = 'Grüße aus Ulm: the answer is 42, whatever it was that you asked me.'
const WEATHER = { name: 'weather', arguments: '{"city":"Ulm"}', id: 'call_ulm' }
const TIME = { name: 'time', arguments: '{"zone":"Europe/Berlin","at":[1,2]}', id: 'call_time' }

describe('the providers beside a server that others wrote (@copilotkit/aimock)', () => {
  let mock: Mock | undefined
  let host: Host

  before(async () => {
    if (!existsSync(ENTRY)) return
    const { LLMock } = (await import(ENTRY.href)) as {
      LLMock: { create(options: object): Promise<Mock> }
    }
    mock = await LLMock.create({ chunkSize: 5 })
    host = await createHost({ plugins: [anthropic, openai, openaiCompatible] })
  })
  after(async () => {
    await host?.close()
    await mock?.stop()
  })
  beforeEach(function () {
    if (mock) mock.reset()
    else {
      this.currentTest!.title += ' (skipped: run npm install in test/peers)'
      this.skip()
    }
  })

  const server = () => mock as Mock

  for (const place of PLACES) {
    const config = (more: ConfigLayer = {}): ConfigLayer => ({
      ...configFor(place, server().url + place.path),
      ...more,
    })
    const ask = async (mode: (typeof MODES)[number], more: ConfigLayer = {}) => {
      if (mode === 'send') return host.send(config(more), 'Hello')
      const result = await host.stream(config(more), 'Hello').result
      if (result.error) throw result.error
      return result
    }
    const fails = async (mode: (typeof MODES)[number], more: ConfigLayer = {}) => {
      const error: unknown = await ask(mode, more).then(
        () => expect.fail('it did not fail'),
        (thrown: unknown) => thrown,
      )
      return error as Error & { code: string; retryAfter?: number; partial?: Message[] }
    }

    for (const mode of MODES) {
      describe(`${place.provider}, ${place.api}, ${mode}`, () => {
        it('takes a text, with its usage', async () => {
          const usage =
            place.api === 'chat'
              ? { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 }
              : { input_tokens: 11, output_tokens: 7 }
          server().on(HELLO, { content: TEXT, usage })
          const { messages, usage: counted, finishReason } = await ask(mode)
          expect(textOf(messages[0]!)).to.equal(TEXT)
          expect(counted).to.include({ input: 11, output: 7 })
          expect(finishReason).to.equal('stop')
        })

        it('takes reasoning before the text', async () => {
          server().on(HELLO, { content: TEXT, reasoning: 'Let me think about that.' })
          const { messages } = await ask(mode)
          expect(told(messages)).to.deep.equal([
            { reasoning: 'Let me think about that.' },
            { text: TEXT },
          ])
        })

        it('takes one call', async () => {
          server().on(HELLO, { toolCalls: [WEATHER] })
          const { messages, finishReason } = await ask(mode)
          expect(told(messages)).to.deep.equal([{ call: 'weather', input: { city: 'Ulm' } }])
          expect(finishReason).to.equal('tool-calls')
        })

        it('takes several calls beside a text', async () => {
          server().on(HELLO, { content: TEXT, toolCalls: [WEATHER, TIME] })
          const { messages } = await ask(mode)
          expect(told(messages)).to.deep.equal([
            { text: TEXT },
            { call: 'weather', input: { city: 'Ulm' } },
            { call: 'time', input: { zone: 'Europe/Berlin', at: [1, 2] } },
          ])
        })

        it('goes on after the results of calls', async () => {
          server().on(HELLO, { toolCalls: [WEATHER] })
          const { messages } = await ask(mode)
          const call = messages[0]!.parts.find((part) => part.type === 'tool-call')!
          const { callId, name } = call
          const history: Message[] = [
            { role: 'user', parts: [{ type: 'text', text: 'Hello' }] },
            ...messages,
            { role: 'tool', parts: [{ type: 'tool-result', callId, name, output: 'rain' }] },
          ]
          server().reset()
          server().on({ ...HELLO, hasToolResult: true }, { content: 'It rains.' })
          const { messages: answer } = await host.send(config(), history)
          expect(textOf(answer[0]!)).to.equal('It rains.')
        })

        it('takes structured output', async () => {
          const schema = {
            type: 'object',
            properties: { city: { type: 'string' } },
            required: ['city'],
            additionalProperties: false,
          }
          server().on(HELLO, { content: '{"city":"Ulm"}' })
          const { messages } = await ask(mode, {
            response_format: { type: 'json-schema', schema, name: 'place' },
          })
          expect(JSON.parse(textOf(messages[0]!))).to.deep.equal({ city: 'Ulm' })
        })

        it('is told to wait by a 429', async () => {
          const error = { message: 'Slow down', type: 'rate_limit_error', code: 'rate_limit' }
          server().on(HELLO, { error, status: 429, retryAfter: 7 })
          const failed = await fails(mode)
          expect(failed).to.include({ code: 'RATE_LIMITED', retryAfter: 7, retryable: true })
          expect(failed.message).to.match(/Slow down/)
        })

        it('fails in words where JSON is malformed', async () => {
          server().on(HELLO, { content: TEXT }, { chaos: { malformedRate: 1 } })
          expect(await fails(mode)).to.include({ code: 'PROVIDER_FAILED' })
        })

        it('fails in words where the connection is cut before the answer', async () => {
          server().on(HELLO, { content: TEXT }, { chaos: { disconnectRate: 1 } })
          const { code } = await fails(mode)
          expect(code).to.be.oneOf(['PROVIDER_FAILED', 'STREAM_INTERRUPTED'])
        })

        it('fails with TIMEOUT where the answer does not begin', async () => {
          server().on(HELLO, { content: TEXT }, { chaos: { latencyMs: 1000 } })
          const limits = mode === 'send' ? { call: 0.1 } : { connect: 0.1 }
          expect(await fails(mode, { limits })).to.include({ code: 'TIMEOUT' })
        })

        it('waits for a slow answer', async () => {
          server().on(HELLO, { content: TEXT }, { latency: 5, chunkSize: 9 })
          const { messages } = await ask(mode)
          expect(textOf(messages[0]!)).to.equal(TEXT)
        })
      })
    }

    it(`${place.provider}, ${place.api}: shows what came before the connection was lost`, async () => {
      server().on(HELLO, { content: TEXT }, { truncateAfterChunks: 12, chunkSize: 3, latency: 5 })
      const result = await host.stream(config(), 'Hello').result
      expect(result.error).to.include({ code: 'STREAM_INTERRUPTED', retryable: true })
      const text = result.messages.map((message) => textOf(message)).join('')
      expect(text).to.match(/^Grüße/)
      expect(TEXT.startsWith(text)).to.equal(true)
    })
  }
})

/** The parts of an answer, as short as can be. */
function told(messages: readonly Message[]): readonly object[] {
  return messages.flatMap(({ parts }) =>
    parts.flatMap((part): object[] => {
      if (part.type === 'tool-call') return [{ call: part.name, input: part.input }]
      return part.type === 'text' || part.type === 'reasoning' ? [{ [part.type]: part.text }] : []
    }),
  )
}
