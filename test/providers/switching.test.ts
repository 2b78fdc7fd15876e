import { expect } from 'chai'
import { createAnthropic } from '../../providers/anthropic/index.ts'
import { createOpenAI } from '../../providers/openai/index.ts'
import { createOpenAICompatible } from '../../providers/openai-compatible/index.ts'
import type { Recording } from '../../scripts/replay/recording.ts'
import {
  type ConfigLayer,
  createHost,
  type Host,
  type Message,
  type Part,
} from '../../src/core/index.ts'
import { ownFiles } from '../helpers/recordings.ts'

/** A provider with one of its APIs, and answers of that API that have all that is private to it. */
interface Side {
  readonly title: string
  readonly config: ConfigLayer
  readonly answers: readonly Recording[]
  /** Where a body has the messages. */
  readonly list: 'messages' | 'input'
}

const bodies = (provider: string, ...names: readonly string[]): readonly Recording[] =>
  ownFiles(provider).flatMap(({ answers }) => answers.filter(({ name }) => names.includes(name)))

const connection = { api_key: 'sk-test-0123456789', max_retries: 0 }
const base_url = 'https://nowhere.test/v1'

const compatible = (preset: string): Side => ({
  title: preset,
  config: {
    provider: 'openai-compatible',
    model: 'some-model',
    settings: { 'openai-compatible': { ...connection, base_url, preset } },
  },
  answers: bodies('openai', 'chat/calls.json', 'chat/sources.json'),
  list: 'messages',
})

const openai = (api: 'responses' | 'chat', ...names: readonly string[]): Side => ({
  title: `openai (${api})`,
  config: {
    provider: 'openai',
    model: 'gpt-5.5',
    settings: { openai: { ...connection, base_url, api } },
  },
  answers: bodies('openai', ...names),
  list: api === 'chat' ? 'messages' : 'input',
})

const SIDES: readonly Side[] = [
  openai(
    'responses',
    'responses/everything.json',
    'responses/hosted.json',
    'responses/refusal.json',
  ),
  openai('chat', 'chat/calls.json', 'chat/refusal.json'),
  {
    title: 'anthropic',
    config: {
      provider: 'anthropic',
      model: 'claude-sonnet-4-5',
      settings: { anthropic: { ...connection, base_url } },
    },
    answers: bodies('anthropic', 'messages/everything.json', 'messages/hosted.json'),
    list: 'messages',
  },
  compatible('deepseek'),
  compatible('mistral'),
  compatible('openrouter'),
]

const user = (text: string): Message => ({ role: 'user', parts: [{ type: 'text', text }] })

/** Results for the calls of a message that wait for the host. */
function resultsFor({ parts }: Message): readonly Message[] {
  const results = parts.flatMap((part): Part[] =>
    part.type === 'tool-call' && !part.providerExecuted
      ? [{ type: 'tool-result', callId: part.callId, name: part.name, output: 'the result' }]
      : [],
  )
  return results.length > 0 ? [{ role: 'tool', parts: results }] : []
}

/** Texts that only the provider itself may see: those of its facts that no neutral member has. */
function privateTexts(messages: readonly Message[]): readonly string[] {
  const facts: unknown[] = []
  const neutral: unknown[] = []
  for (const { parts, metadata: { anthropic, ...metadata } = {} } of messages) {
    facts.push(anthropic)
    neutral.push(metadata)
    for (const { providerMetadata, ...part } of parts) {
      // Another provider is told of a kind of part that is none of its own only what `foreignText` says.
      if (part.type === 'data') facts.push(part.data)
      else if (part.type === 'reasoning') facts.push(part.text)
      else neutral.push(part)
      facts.push(providerMetadata)
    }
  }
  const open = JSON.stringify(neutral)
  return [...new Set(textsIn(facts))].filter((text) => text.length >= 8 && !open.includes(text))
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([, inner]) => textsIn(inner))
}

/** Words of formats that any of the APIs may use. */
const FORMAT_WORDS =
  /^(assistant|tool_use|thinking|text|function_call|message|completed|output_text|reasoning(_content)?)$/

describe('a conversation that goes from one provider to another and back', () => {
  let host: Host
  let body = ''

  before(async () => {
    const fetch: typeof globalThis.fetch = async () =>
      new Response(body, { headers: { 'content-type': 'application/json' } })
    const plugins = [
      createOpenAI({ fetch }),
      createOpenAICompatible({ fetch }),
      createAnthropic({ fetch }),
    ]
    host = await createHost({ plugins })
  })
  after(() => host.close())

  const answersOf = async ({ config, answers }: Side): Promise<readonly Message[]> => {
    const turns: Message[] = []
    for (const { text } of answers) {
      body = text
      const { messages } = await host.send(config, 'Hello')
      turns.push(user('Go on.'), ...messages, ...messages.flatMap(resultsFor))
    }
    return [...turns, user('And now?')]
  }

  const sentTo = async ({ config, list }: Side, messages: readonly Message[]) => {
    const { native } = await host.dryRun(config, messages)
    return (native as { [key: string]: unknown })[list] as readonly unknown[]
  }

  it('has recordings with something private in them', async () => {
    for (const side of SIDES) {
      const isOpen = side.title === 'openai (chat)'
      const secrets = privateTexts(await answersOf(side))
      expect(secrets, side.title).to.have.length.above(isOpen ? -1 : 0)
    }
  })

  for (const first of SIDES) {
    for (const second of SIDES.filter((side) => side !== first)) {
      it(`tells ${second.title} nothing that is private to ${first.title}`, async () => {
        const history = await answersOf(first)
        const sent = JSON.stringify(await sentTo(second, history))
        for (const secret of privateTexts(history)) {
          if (!FORMAT_WORDS.test(secret))
            expect(sent).not.to.include(JSON.stringify(secret).slice(1, -1))
        }
      })

      it(`gives ${first.title} its own back unchanged after ${second.title}`, async () => {
        const [own, between] = [await answersOf(first), await answersOf(second)]
        const before = await sentTo(first, own)
        const after = await sentTo(first, [...own, ...between])
        // The last message of the user may go on with the first of what follows.
        expect(after.slice(0, before.length - 1)).to.deep.equal(before.slice(0, -1))
        expect(after.length).to.be.above(before.length)
      })

      it(`leaves no call without a result when ${second.title} is told what ${first.title} called`, async () => {
        const sent = await sentTo(second, await answersOf(first))
        const { calls, results } = idsIn(sent)
        expect(results).to.deep.equal(calls)
      })
    }
  }

  const call = { type: 'tool-call', callId: 'call-1', name: 'add', input: { a: 1 } } as const
  const result = { type: 'tool-result', callId: 'call-1', name: 'add', output: 'two' } as const

  for (const side of SIDES) {
    it(`answers a call without a result for ${side.title}, and warns of it`, async () => {
      body = side.answers[0]?.text ?? ''
      const history = [user('Add'), { role: 'assistant', parts: [call] }, user('Well?')] as const
      const { calls, results } = idsIn(await sentTo(side, history))
      expect(calls).to.have.length(1)
      expect(results).to.deep.equal(calls)
      const { warnings } = await host.send(side.config, history)
      expect(warnings.join()).to.include('"add" has no result')
    })

    it(`puts a late result behind its call for ${side.title}`, async () => {
      const history = [
        user('Add'),
        { role: 'assistant', parts: [call] },
        user('Wait'),
        { role: 'tool', parts: [result] },
      ] as const
      const sent = await sentTo(side, history)
      const { calls, results } = idsIn(sent)
      expect(results).to.deep.equal(calls)
      const texts = JSON.stringify(sent)
      expect(texts.indexOf('two')).to.be.below(texts.indexOf('Wait'))
    })

    it(`tells ${side.title} a result without a call as text`, async () => {
      const sent = await sentTo(side, [user('Add'), { role: 'tool', parts: [result] }])
      expect(idsIn(sent)).to.deep.equal({ calls: [], results: [] })
      expect(JSON.stringify(sent)).to.include('[add answered two]')
    })

    it(`shortens an id that ${side.title} does not take, in the call and in its result`, async () => {
      const callId = 'über '.repeat(30)
      const history = [
        user('Add'),
        { role: 'assistant', parts: [{ ...call, callId }] },
        { role: 'tool', parts: [{ ...result, callId }] },
      ] as const
      const { calls, results } = idsIn(await sentTo(side, history))
      expect(results).to.deep.equal(calls)
      expect(calls[0]).to.match(side.title === 'mistral' ? /^[a-z0-9]{9}$/ : /^[\w-]{1,64}$/)
    })
  }
})

/** Where the APIs have the ids of calls, and of results: by a member of an object, and the member with the id. */
const CALL_IDS = [
  ['type', 'function', 'id'],
  ['type', 'tool_use', 'id'],
  ['type', 'function_call', 'call_id'],
] as const
const RESULT_IDS = [
  ['role', 'tool', 'tool_call_id'],
  ['type', 'tool_result', 'tool_use_id'],
  ['type', 'function_call_output', 'call_id'],
] as const

/** The ids of the calls that the host ran, and of their results, in a body of any of the APIs. */
function idsIn(messages: readonly unknown[]): {
  calls: readonly string[]
  results: readonly string[]
} {
  const objects = objectsIn(messages)
  const find = (places: typeof CALL_IDS | typeof RESULT_IDS) =>
    objects.flatMap((object) =>
      places.flatMap(([key, value, id]) => (object[key] === value ? String(object[id]) : [])),
    )
  return { calls: find(CALL_IDS), results: find(RESULT_IDS) }
}

function objectsIn(value: unknown): readonly { readonly [key: string]: unknown }[] {
  if (typeof value !== 'object' || value === null) return []
  const inner = Object.values(value).flatMap(objectsIn)
  return Array.isArray(value) ? inner : [value as { [key: string]: unknown }, ...inner]
}
