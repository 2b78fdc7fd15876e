import { expect } from 'chai'
import trimHistory from '../../../features/trim-history/index.ts'
import { createAnthropic } from '../../../providers/anthropic/index.ts'
import { createOpenAI } from '../../../providers/openai/index.ts'
import { createOpenAICompatible } from '../../../providers/openai-compatible/index.ts'
import {
  type ConfigLayer,
  createHost,
  type Host,
  type Message,
  type Part,
} from '../../../src/core/index.ts'
import { ownFiles } from '../../helpers/recordings.ts'
import { text } from './conversations.ts'

const ANSWERS = {
  responses: { of: 'openai', names: ['responses/everything.json', 'responses/hosted.json'] },
  chat: { of: 'openai', names: ['chat/calls.json', 'chat/sources.json'] },
  messages: { of: 'anthropic', names: ['messages/everything.json', 'messages/hosted.json'] },
} as const

const connection = {
  api_key: 'sk-test-0123456789',
  base_url: 'https://nowhere.test/v1',
  max_retries: 0,
}

const openai = (api: 'chat' | 'responses') => ({
  title: `openai (${api})`,
  answers: ANSWERS[api],
  config: { provider: 'openai', model: 'gpt-5.5', settings: { openai: { ...connection, api } } },
})

const compatible = (preset: string) => ({
  title: preset,
  answers: ANSWERS.chat,
  config: {
    provider: 'openai-compatible',
    model: 'some-model',
    settings: { 'openai-compatible': { ...connection, preset } },
  },
})

const SIDES = [
  openai('responses'),
  openai('chat'),
  {
    title: 'anthropic',
    answers: ANSWERS.messages,
    config: {
      provider: 'anthropic',
      model: 'claude-sonnet-4-5',
      settings: { anthropic: connection },
    },
  },
  ...['deepseek', 'mistral', 'openrouter', 'vllm'].map(compatible),
]

type Native = { readonly [key: string]: unknown }

const PICTURE: Part = {
  type: 'file',
  mediaType: 'image/png',
  data: Buffer.alloc(99).toString('base64'),
}

/** Results for the calls of a message that wait for the host. */
function resultsFor({ parts }: Message): readonly Message[] {
  const results = parts.flatMap((part): Part[] =>
    part.type === 'tool-call' && !part.providerExecuted
      ? [
          {
            type: 'tool-result',
            callId: part.callId,
            name: part.name,
            output: 'the result '.repeat(50),
          },
        ]
      : [],
  )
  return results.length > 0 ? [{ role: 'tool', parts: results }] : []
}

describe('conversations that trim-history left to a provider', () => {
  let host: Host
  let body = ''
  const said: string[] = []

  before(async () => {
    const fetch: typeof globalThis.fetch = async () =>
      new Response(body, { headers: { 'content-type': 'application/json' } })
    host = await createHost({
      plugins: [
        ...[createOpenAI, createOpenAICompatible, createAnthropic].map((create) =>
          create({ fetch }),
        ),
        trimHistory,
      ],
      log: ({ level, message, plugin }) => {
        if (level === 'warn') said.push(`${plugin}: ${message}`)
      },
    })
  })
  after(() => host.close())

  /** Turns with all that answers of this API have: reasoning, calls of both kinds, files, sources. */
  async function historyOf({
    config,
    answers: { of, names },
  }: (typeof SIDES)[number]): Promise<readonly Message[]> {
    const answers: Message[] = []
    for (const { answers: recorded } of ownFiles(of)) {
      for (const { name, text: recording } of recorded) {
        if (!names.some((one) => one === name)) continue
        body = recording
        answers.push(...(await host.send(config, 'Hello')).messages)
      }
    }
    const turns = Array.from({ length: 12 }, (_, time): Message[] => [
      { role: 'user', parts: [{ type: 'text', text: `Look at ${time}.` }, PICTURE] },
      ...answers.flatMap((answer) => [answer, ...resultsFor(answer)]),
    ])
    return [text('system', 'Be brief.'), ...turns.flat(), text('user', 'And now?')]
  }

  const configWith = (config: ConfigLayer, max_tokens: number): ConfigLayer => ({
    ...config,
    enabled_plugins: ['trim-history'],
    settings: { ...config.settings, 'trim-history': { max_tokens } },
  })

  for (const side of SIDES) {
    it(`are whole for ${side.title}, in every room`, async () => {
      const history = await historyOf(side)
      said.length = 0
      const whole = (await host.dryRun(side.config, history)).native as Native
      // What it says of this history anyhow is no matter of what was left out.
      const usual = new Set(said)
      const lengths = new Set<number>()
      for (let room = 1000; room < 60_000; room = Math.ceil(room * 1.3)) {
        said.length = 0
        const native = (await host.dryRun(configWith(side.config, room), history)).native as Native
        const messages = messagesOf(native)
        lengths.add(messages.length)
        expect(
          said.filter((line) => !line.startsWith('trim-history') && !usual.has(line)),
        ).to.deep.equal([])
        const { calls, results } = idsIn(messages)
        expect(results).to.deep.equal(calls)
        expect(
          messages.find((one) => one['role'] !== 'system' && one['role'] !== 'developer')?.['role'],
        ).to.equal('user')
        expect(JSON.stringify(native)).to.include('Be brief.').and.include('And now?')
      }
      expect(lengths.size, 'different cuts').to.be.greaterThan(3)
      expect(Math.max(...lengths)).to.equal(messagesOf(whole).length)
    })
  }
})

function messagesOf(native: Native): readonly Native[] {
  return (native['input'] ?? native['messages']) as readonly Native[]
}

/** Where the APIs have the ids of calls and of their results. */
const CALLS = [
  ['type', 'function', 'id'],
  ['type', 'tool_use', 'id'],
  ['type', 'function_call', 'call_id'],
] as const
const RESULTS = [
  ['role', 'tool', 'tool_call_id'],
  ['type', 'tool_result', 'tool_use_id'],
  ['type', 'function_call_output', 'call_id'],
] as const

function idsIn(messages: readonly Native[]) {
  const objects = objectsIn(messages)
  const find = (places: typeof CALLS | typeof RESULTS) =>
    objects.flatMap((object) =>
      places.flatMap(([key, value, id]) => (object[key] === value ? [String(object[id])] : [])),
    )
  return { calls: find(CALLS), results: find(RESULTS) }
}

function objectsIn(value: unknown): readonly Native[] {
  if (typeof value !== 'object' || value === null) return []
  const inner = Object.values(value).flatMap(objectsIn)
  return Array.isArray(value) ? inner : [value as Native, ...inner]
}
