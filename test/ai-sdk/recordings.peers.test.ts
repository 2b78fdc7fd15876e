import { isDeepStrictEqual } from 'node:util'
import { expect } from 'chai'
import { ReplayServer } from '../../scripts/replay/replay-server.ts'
import { asLanguageModel } from '../../src/ai-sdk/index.ts'
import type { Host } from '../../src/core/index.ts'
import { sampledByCommit } from '../helpers/cases.ts'
import { configFor, openaiHost, replyOf } from '../providers/openai/asking.ts'
import { ownRecordings, type Recording, sharedRecordings } from '../providers/openai/recordings.ts'
import { hasSdk, needsSdk, peer, type Sdk, type SdkCall, type Step, sdkOf } from './sdk.ts'

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
    on: /chat\/calls|lmstudio-tool-call\.\d\.chunks/,
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
    on: /client-tool-search|local-shell-tool|openai-shell-tool\.1\.(json|chunks\.txt#1)$/,
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

describe('the AI SDK over asLanguageModel beside the own openai provider of the AI SDK', () => {
  const all = [...ownRecordings(), ...sharedRecordings()]
  const differs = ({ name }: Recording) => DIFFERENCES.some(({ on }) => on.test(name))
  // Those that end differently are always tried, of the others some.
  const alike = sampledByCommit(
    all.filter((recording) => !differs(recording)),
    4,
  )
  const recordings = [...all.filter(differs), ...alike]
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

  const endOf = async (mode: Recording['mode'], model: object): Promise<Ending> => {
    try {
      const step = await (mode === 'send' ? sentTo(sdk, model) : streamedTo(sdk, model))
      const { text, reasoningText, toolCalls, finishReason, usage } = step
      const { inputTokens, outputTokens } = usage
      const calls = callsOf(toolCalls)
      return { text, reasoningText, calls, finishReason, inputTokens, outputTokens }
    } catch {
      return { failed: true }
    }
  }

  for (const recording of recordings) {
    const known = DIFFERENCES.filter(({ on }) => on.test(recording.name))
    const but = known.map((one) => ` (but for ${one.in.join(', ')}: ${one.because})`)

    it(`ends alike: ${recording.name}${but.join('')}`, async function () {
      needsSdk(this)
      server.reply = () => replyOf(recording)
      using opened = await host.open(configFor(server, { api: recording.api }))
      const { mode } = recording
      const ours = await endOf(mode, asLanguageModel(opened))
      const openai = createOpenAI({ baseURL: server.url, apiKey: 'test-key' })
      const theirs = await endOf(
        mode,
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

async function sentTo(sdk: Sdk, model: object): Promise<Step> {
  return sdk.generateText({ model, prompt: 'Hello', maxRetries: 0 })
}

async function streamedTo(sdk: Sdk, model: object): Promise<Step> {
  const errors: unknown[] = []
  const onError = ({ error }: { error: unknown }) => errors.push(error)
  const answer = sdk.streamText({ model, prompt: 'Hello', maxRetries: 0, onError })
  await answer.consumeStream()
  const [step] = errors.length > 0 ? [] : await answer.steps
  if (!step) throw new Error('the AI SDK made no step')
  return step
}
