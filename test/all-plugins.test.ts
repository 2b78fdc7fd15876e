import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import citations from '../extensions/citations/index.ts'
import guard from '../extensions/guard/index.ts'
import promptCache from '../extensions/prompt-cache/index.ts'
import redact from '../extensions/redact/index.ts'
import smoothStream from '../extensions/smooth-stream/index.ts'
import thinkTags from '../extensions/think-tags/index.ts'
import usageCost from '../extensions/usage-cost/index.ts'
import instructions from '../features/instructions/index.ts'
import memory from '../features/memory/index.ts'
import structuredOutput, { outputOf } from '../features/structured-output/index.ts'
import trimHistory from '../features/trim-history/index.ts'
import anthropic from '../providers/anthropic/index.ts'
import openai from '../providers/openai/index.ts'
import openaiCompatible from '../providers/openai-compatible/index.ts'
import scripted from '../providers/scripted/index.ts'
import type { Place } from '../scripts/replay/place.ts'
import { replyOf } from '../scripts/replay/recording.ts'
import { ReplayServer } from '../scripts/replay/replay-server.ts'
import { configFor } from '../scripts/replay/replayer.ts'
import { run } from '../src/agent/index.ts'
import {
  type ConfigLayer,
  createHost,
  type Host,
  HostError,
  type Message,
} from '../src/core/index.ts'
import calculator from '../tools/calculator/index.ts'
import clock from '../tools/clock/index.ts'
import fetchTool from '../tools/fetch/index.ts'
import files from '../tools/files/index.ts'
import searchDocs from '../tools/search-docs/index.ts'
import { replyWith, type Said } from './helpers/api-answers.ts'
import { replayWith } from './helpers/both-ways.ts'
import { HAS_ALL_CASES, sampled } from './helpers/cases.ts'
import { subjects } from './hostile/answers.ts'

const EXTENSIONS = [
  thinkTags,
  smoothStream,
  citations,
  usageCost,
  promptCache,
  redact,
  guard,
] as const
const FEATURES = [instructions, memory, structuredOutput, trimHistory] as const
const TOOLS = [calculator, clock, fetchTool, files, searchDocs] as const
const ALL = [...EXTENSIONS, ...FEATURES, ...TOOLS]

const MAIL = 'ada@example.org'
const QUESTION = `What do the documents say of ${MAIL}, and what is 12 * 34?`
const TURNS: readonly Message[] = Array.from({ length: 300 }, (_, at) => ({
  role: at % 2 === 0 ? 'user' : 'assistant',
  parts: [{ type: 'text', text: `Turn ${at}: nothing of note was said about the weather in Ulm.` }],
}))

const SCHEMA = {
  type: 'object',
  properties: { mail: { type: 'string', pattern: '@example\\.org$' }, sum: { type: 'integer' } },
  required: ['mail', 'sum'],
  additionalProperties: false,
} as const

/** First the calls, then an answer out of their results. */
const CALLING: Said = {
  text: '<think>Two tools will do.</think>I look it up.',
  calls: [
    { id: 'call_1', name: 'search_docs', input: { query: '<EMAIL_1>' } },
    { id: 'call_2', name: 'calculate', input: { expression: '12 * 34' } },
  ],
}
const ANSWERING: Said = { text: '<think>408.</think>```json\n{"mail":"<EMAIL_1>","sum":408}\n```' }

/** What answers came to together differs with each more of them. */
function withoutTotals(messages: readonly Message[]): readonly Message[] {
  return messages.map(({ metadata = {}, ...message }) => {
    const { costOfRun: _, costOfConversation: __, ...own } = metadata
    return { ...message, metadata: own }
  })
}

interface Model extends Place {
  readonly model: string
}

const MODELS: readonly Model[] = [
  { provider: 'openai', api: 'responses', model: 'gpt-4.1' },
  { provider: 'openai', api: 'chat', model: 'gpt-4.1' },
  { provider: 'openai-compatible', api: 'chat', preset: 'groq', model: 'm' },
  { provider: 'openai-compatible', api: 'chat', preset: 'deepseek', model: 'm' },
  { provider: 'anthropic', api: 'messages', model: 'claude-sonnet-4-5' },
  { provider: 'anthropic', api: 'messages', model: 'claude-3-5-haiku-latest' },
]

describe('all shipped plugins at once', function () {
  this.timeout(60_000)
  let folder: string
  let server: ReplayServer
  let host: Host

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'documents-'))
    await writeFile(join(folder, 'people.md'), `# People\n\n${MAIL} works in Ulm.\n`)
    server = await new ReplayServer().start()
    const providers = [scripted, anthropic, openai, openaiCompatible]
    host = await createHost({ plugins: [...providers, ...ALL] })
    const config = { provider: 'scripted', enabled_plugins: ['memory'] }
    const fact = { text: `The user writes to ${MAIL}.` }
    await host.runAction('memory', 'remember', fact, config, { conversationId: 'c' })
  })
  after(async () => {
    await host.close()
    await server.close()
    await rm(folder, { recursive: true })
  })

  function configOf(layer: ConfigLayer): ConfigLayer {
    return {
      ...layer,
      enabled_plugins: ALL.map(({ name }) => name),
      response_format: { type: 'json-schema', schema: SCHEMA },
      settings: {
        ...layer.settings,
        files: { root: folder },
        'search-docs': { root: folder },
        guard: { rules: [{ name: 'curse', words: ['damn'], on: 'answer' }] },
        instructions: { text: 'The office is in Ulm.' },
        'trim-history': { max_tokens: 6000 },
      },
    }
  }

  /** The conversation as a run has it, and each of its answers once more by send and by stream. */
  async function converse(config: ConfigLayer) {
    const conversation = { conversationId: 'c' }
    const question: Message = { role: 'user', parts: [{ type: 'text', text: QUESTION }] }
    const messages = [...TURNS, question]
    const result = await run(host, { config, messages, ...conversation }).result
    expect(result.status, result.error?.message).to.equal('done')
    for (const [at, message] of result.messages.entries()) {
      if (message.role !== 'assistant') continue
      const history = [...messages, ...result.messages.slice(0, at)]
      const sent = await host.send(config, history, conversation)
      const streamed = await host.stream(config, history, conversation).result
      const expected = withoutTotals(sent.messages)
      expect(withoutTotals(streamed.messages), `message ${at}, streamed`).to.deep.equal(expected)
      expect(withoutTotals([message]), `message ${at}, of the run`).to.deep.equal(expected)
    }
    return result
  }

  function checkAnswer(messages: readonly Message[]): void {
    expect(messages.map(({ role }) => role)).to.deep.equal(['assistant', 'tool', 'assistant'])
    const [calling, results] = messages
    expect(calling?.parts[0]).to.deep.include({ type: 'reasoning', text: 'Two tools will do.' })
    expect(JSON.stringify(calling), 'the query').to.include(MAIL)
    expect(JSON.stringify(results), JSON.stringify(results)).to.include(`${MAIL} works in Ulm`)
    expect(JSON.stringify(results), 'the sum').to.include('408')
    expect(outputOf(messages)).to.deep.equal({ mail: MAIL, sum: 408 })
  }

  for (const { model, ...place } of sampled(MODELS, 2)) {
    it(`answer with tools, JSON and redaction: ${place.provider}, ${place.preset ?? place.api}, ${model}`, async () => {
      server.requests.length = 0
      server.reply = ({ body }) => {
        const hasResults = JSON.stringify(body).includes('call_1')
        return replyWith(place.api, hasResults ? ANSWERING : CALLING, body['stream'] === true)
      }
      const { messages } = await converse(configOf({ ...configFor(place, server.url), model }))
      checkAnswer(messages)
      expect(server.requests).to.have.length(6)
      for (const { body } of server.requests) {
        const text = JSON.stringify(body)
        expect(text).not.to.include(MAIL)
        expect(text).to.include('The office is in Ulm').and.include('<EMAIL_1>')
        expect(text, 'the fact').to.include('The user writes to')
        expect(text, 'the oldest turn').not.to.include('Turn 0:')
        expect(text, 'the newest turn').to.include('Turn 299:')
      }
    })
  }

  it('answer with tools, JSON and redaction: scripted', async () => {
    const { text, calls: tool_calls = [] } = CALLING
    const script = [
      { when: { tool: 'calculate' }, then: { text: ANSWERING.text, chunks: 7 } },
      { then: { text, tool_calls: tool_calls.map(({ name, input }) => ({ name, input })) } },
    ]
    const layer = { provider: 'scripted', settings: { scripted: { script, delay_ms: 0 } } }
    checkAnswer((await converse(configOf(layer))).messages)
  })

  it('CL-42 add up in recorded answers', async function () {
    const config = configOf({})
    const { response_format: _, enabled_plugins: __, ...rest } = config
    const count = await replayWith(ALL, undefined, { config: rest })
    if (this.test) this.test.title += ` (${count} recordings)`
  })

  it('CL-42 make the same of recorded whole answers in send and in stream', async function () {
    const { response_format: _, ...rest } = configOf({})
    const whole = sampled(subjects('send'), 5)
    for (const { place, recording } of whole) {
      server.reply = () => replyOf(recording)
      const own = configFor(place, server.url)
      const config = { ...rest, ...own, settings: { ...rest.settings, ...own.settings } }
      const sent = await host.send(config, QUESTION).catch((error: unknown) => error)
      const streamed = await host.stream(config, QUESTION).result
      if (HostError.is(sent)) expect(streamed.error?.code, recording.name).to.equal(sent.code)
      else {
        const { messages } = sent as typeof streamed
        expect(streamed.status, `${recording.name}: ${streamed.error?.message}`).to.equal('done')
        expect(withoutTotals(streamed.messages), recording.name).to.deep.equal(
          withoutTotals(messages),
        )
      }
    }
    expect(whole).to.have.length.above(HAS_ALL_CASES ? 5 : 1)
    if (this.test) this.test.title += ` (${whole.length} recordings)`
  })
})
