import { expect } from 'chai'
import type { PartialEvent, RunEvent } from '../../../src/plugin/events/index.ts'
import {
  anthropicMessagesAnswer,
  anthropicMessagesEncoder,
  decodeAnthropicMessages,
} from '../../../src/server/wire/anthropic-messages/index.ts'
import {
  chatCompletionAnswer,
  chatCompletionEncoder,
  decodeChatCompletion,
} from '../../../src/server/wire/chat-completions/index.ts'
import type { RunFacts, StreamEncoder } from '../../../src/server/wire/protocol.ts'
import {
  decodeResponses,
  responsesAnswer,
  responsesEncoder,
} from '../../../src/server/wire/responses/index.ts'
import type { AnswerEncoder } from '../../../src/server/wire/whole-answer.ts'
import { textEvents } from '../../helpers/hosts.ts'
import { askPeers, hasPeers, type PeerAnswer } from '../../providers/peers.ts'
import { ApiServer, type Served } from './api-server.ts'
import { factsOf, numbered, runOf } from './runs.ts'

interface Shown {
  readonly showsHostCalls: boolean
  readonly hasErrorEvent: boolean
}

interface Protocol {
  readonly runner: string
  readonly decode: (body: unknown) => { readonly isStreaming: boolean }
  readonly encoder: (facts: RunFacts, options: Shown) => StreamEncoder
  readonly answer: (facts: RunFacts, options: Shown) => AnswerEncoder
  /** What the client passes over. */
  readonly without: readonly (keyof PeerAnswer)[]
}

const PROTOCOLS: { readonly [api: string]: Protocol } = {
  chat: {
    runner: 'ai-sdk-openai.mjs',
    decode: decodeChatCompletion,
    encoder: (facts) => chatCompletionEncoder(facts, { includesUsage: true }),
    answer: (facts) => chatCompletionAnswer(facts),
    without: ['reasoning'],
  },
  responses: {
    runner: 'ai-sdk-openai.mjs',
    decode: decodeResponses,
    encoder: responsesEncoder,
    answer: responsesAnswer,
    without: [],
  },
  messages: {
    runner: 'ai-sdk-anthropic.mjs',
    decode: decodeAnthropicMessages,
    encoder: anthropicMessagesEncoder,
    answer: anthropicMessagesAnswer,
    // It makes sources of citations only where it offered a search itself.
    without: ['sources'],
  },
}

interface Version {
  /** The version of the AI SDK. */
  readonly of: number
  /** The version of its packages of clients, if it is not the newest. */
  readonly version?: number
  /** The protocols of which the clients know how calls that the host ran are told. */
  readonly knowing: readonly string[]
}

const VERSIONS: readonly Version[] = [
  { of: 5, version: 2, knowing: [] },
  { of: 6, version: 3, knowing: ['responses'] },
  { of: 7, knowing: ['responses', 'messages'] },
]

const CALL: readonly PartialEvent[] = [
  { type: 'tool-call-start', id: 'c1', name: 'look' },
  { type: 'tool-call-delta', id: 'c1', delta: '{"at":' },
  { type: 'tool-call-delta', id: 'c1', delta: '1}' },
  { type: 'tool-call-end', id: 'c1', input: { at: 1 } },
]

const RUN = runOf(
  [
    { type: 'reasoning-start', id: 'r' },
    { type: 'reasoning-delta', id: 'r', delta: 'hm' },
    { type: 'reasoning-end', id: 'r' },
    ...textEvents('Let me see. '),
    { type: 'tool-call-start', id: 'c0', name: 'of-the-host' },
    { type: 'tool-call-end', id: 'c0', input: {} },
  ],
  [...textEvents('It ', 'rains.'), { type: 'source', url: 'https://a.test/', title: 'A' }, ...CALL],
)
const FAILED = numbered([...RUN.slice(0, 4), { type: 'abort', reason: 'by hand' }])

describe('the published clients of the AI SDK, as a second opinion', () => {
  let server: ApiServer
  before(async function () {
    if (!hasPeers) {
      this.test!.title += ' (skipped: run npm ci --prefix test/peers)'
      this.skip()
    }
    server = await new ApiServer().start()
  })
  after(async () => {
    await server?.close()
  })

  const cases = Object.entries(PROTOCOLS).flatMap(([api, protocol]) =>
    VERSIONS.map((version) => ({ api, protocol, ...version })),
  )
  for (const { api, protocol, of, version, knowing } of cases) {
    it(`read what is written as ${api} with AI SDK ${of}, whole and as a stream`, async () => {
      server.serve = ({ path, body }) =>
        served(protocol, body, path.includes('/failed/') ? FAILED : RUN, {
          showsHostCalls: knowing.includes(api),
          hasErrorEvent: true,
        })
      const jobs = ['stream', 'send'].flatMap((mode) =>
        ['done', 'failed'].map((run) => ({
          name: `${mode} ${run}`,
          api,
          mode,
          version,
          model: 'published',
          url: `${server.url}/${run}/v1`,
        })),
      )
      const answers = await askPeers(protocol.runner, jobs)
      for (const mode of ['stream', 'send']) {
        const answer = answers.get(`${mode} done`)
        // The client of Anthropic's API in AI SDK 5 does not count cached tokens as input.
        const input = api === 'messages' && of === 5 ? 5 : 6
        expect(seen(answer!, protocol), mode).to.deep.equal(expected(protocol, input))
        const failed = answers.get(`${mode} failed`)
        expect(failed?.thrown ?? failed?.errors?.[0], mode).to.be.a('string')
      }
    }).timeout(60_000)
  }
})

function served(
  protocol: Protocol,
  body: unknown,
  events: readonly RunEvent[],
  options: Shown,
): Served {
  const facts = factsOf('look')
  if (protocol.decode(body).isStreaming) {
    const encoder = protocol.encoder(facts, options)
    return events.map((event) => encoder.encode(event))
  }
  const whole = protocol.answer(facts, options)
  for (const event of events) whole.add(event)
  return whole.answer()
}

interface Seen {
  readonly text: string
  readonly reasoning: string
  readonly calls: readonly unknown[]
  readonly sources: readonly unknown[]
  readonly finishReason: string
  readonly usage: readonly unknown[]
}

function seen({ thrown, errors, ...answer }: PeerAnswer, protocol: Protocol): Seen {
  expect([thrown, ...(errors ?? [])].filter(Boolean)).to.deep.equal([])
  const { text, reasoning, calls, sources, finishReason, usage } = answer
  return without(protocol, {
    text,
    reasoning,
    // The client itself answers the others; it does not run those that a server ran.
    calls: calls
      .filter(isToRun)
      .map(({ toolCallId, toolName, input }) => [
        toolCallId,
        toolName,
        JSON.parse(input) as unknown,
      ]),
    sources: sources.map(({ url }) => url),
    finishReason,
    usage: [usage.inputTokens.total, usage.inputTokens.cacheRead, usage.outputTokens.total],
  })
}

function isToRun(call: object): boolean {
  return !('providerExecuted' in call && call.providerExecuted === true)
}

function expected(protocol: Protocol, input: number): Seen {
  return without(protocol, {
    text: 'Let me see. \n\nIt rains.',
    reasoning: 'hm',
    calls: [['c1', 'look', { at: 1 }]],
    sources: ['https://a.test/'],
    finishReason: 'tool-calls',
    usage: [input, 1, 4],
  })
}

function without({ without: passed }: Protocol, all: Seen): Seen {
  const known = Object.entries(all).filter(([key]) => !passed.some((one) => one === key))
  return Object.fromEntries(known) as unknown as Seen
}
