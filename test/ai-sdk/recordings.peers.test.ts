import { isDeepStrictEqual } from 'node:util'
import { expect } from 'chai'
import type { Recording } from '../../scripts/replay/recording.ts'
import { ReplayServer } from '../../scripts/replay/replay-server.ts'
import { asLanguageModel } from '../../src/ai-sdk/index.ts'
import type { Host } from '../../src/core/index.ts'
import { configFor, openaiHost, replyOf } from '../providers/openai/asking.ts'
import { ownRecordings, sharedRecordings } from '../providers/openai/recordings.ts'
import { hasSdk, needsSdk, peer, type Sdk, type SdkCall, sdkOf } from './sdk.ts'

type CreateOpenAI = (options: object) => {
  chat(model: string): object
  responses(model: string): object
}

const ASPECTS = [
  'failed',
  'text',
  'reasoningText',
  'calls',
  'finishReason',
  'inputTokens',
  'outputTokens',
] as const
type Ending = { readonly [aspect in (typeof ASPECTS)[number]]?: unknown }

/** Where our provider differs from theirs, and why that is right. */
const DIFFERENCES: readonly { on: RegExp; in: readonly (keyof Ending)[]; because: string }[] = [
  {
    on: /chat\/calls|lmstudio-tool-call/,
    in: ['reasoningText'],
    because: 'it passes over reasoning that open models show',
  },
  {
    on: /responses\/hosted|xai-x-search-tool/,
    in: ASPECTS,
    because: 'it refuses items of kinds that it does not know, and citations without a title',
  },
  {
    on: /apply-patch-tool/,
    in: ['calls'],
    because: 'it wraps the arguments of the hosted tool in another object',
  },
  {
    on: /shell-container\.1/,
    in: ['calls'],
    because: 'it takes the call of a shell in a container of the API for one of the program',
  },
  {
    on: /client-tool-search|local-shell-tool|openai-shell-tool\.1\.chunks\.txt#1$/,
    in: ['calls', 'finishReason'],
    because: 'it wraps the arguments, and ends with "stop" although a call waits for the program',
  },
]

/** The calls that the program runs. Those that the model API ran have other names and arguments there. */
function callsOf(calls: readonly SdkCall[]): readonly object[] {
  return calls
    .filter(({ providerExecuted }) => !providerExecuted)
    .map(({ toolCallId: id, toolName: name, input }) => ({ id, name, input }))
}

describe('streamText over asLanguageModel beside the own openai provider of the AI SDK', () => {
  const recordings = [...ownRecordings(), ...sharedRecordings()].filter(
    ({ mode }) => mode === 'stream',
  )
  let server: ReplayServer
  let host: Host
  let sdk: Sdk
  let createOpenAI: CreateOpenAI

  before(async function () {
    this.timeout(60_000)
    if (!hasSdk) return
    server = await new ReplayServer().start()
    host = await openaiHost()
    sdk = await sdkOf(7)
    createOpenAI = (await peer('@ai-sdk/openai'))['createOpenAI'] as CreateOpenAI
  })
  after(async () => {
    await host?.close()
    await server?.close()
  })

  const endOf = async (model: object): Promise<Ending> => {
    let failed = false
    const onError = () => {
      failed = true
    }
    const answer = sdk.streamText({ model, prompt: 'Hello', maxRetries: 0, onError })
    await answer.consumeStream()
    if (failed) return { failed }
    const [step] = await answer.steps
    if (!step) throw new Error('the AI SDK made no step')
    const { text, reasoningText, toolCalls, finishReason, usage } = step
    const calls = callsOf(toolCalls)
    const { inputTokens, outputTokens } = usage
    return { text, reasoningText, calls, finishReason, inputTokens, outputTokens }
  }

  for (const recording of recordings) {
    const known = DIFFERENCES.filter(({ on }) => on.test(recording.name))
    const but = known.map((one) => ` (but for ${one.in.join(', ')}: ${one.because})`)

    it(`ends alike: ${recording.name}${but.join('')}`, async function () {
      needsSdk(this)
      server.reply = () => replyOf(recording as Recording)
      using opened = await host.open(configFor(server, { api: recording.api }))
      const ours = await endOf(asLanguageModel(opened))
      const openai = createOpenAI({ baseURL: server.url, apiKey: 'test-key' })
      const theirs = await endOf(
        recording.api === 'chat' ? openai.chat('gpt-4.1') : openai.responses('gpt-4.1'),
      )
      if (known.some((one) => one.in === ASPECTS)) {
        expect([ours.failed, theirs.failed]).to.deep.equal([undefined, true])
        return
      }
      const differing = ASPECTS.filter((aspect) => !isDeepStrictEqual(ours[aspect], theirs[aspect]))
      const said = known.flatMap((one) => one.in)
      expect(differing, JSON.stringify({ ours, theirs }, null, 1)).to.have.members(said)
    })
  }
})
