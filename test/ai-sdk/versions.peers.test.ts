import { expect } from 'chai'
import openai from '../../providers/openai/index.ts'
import scripted from '../../providers/scripted/index.ts'
import { ReplayServer, type Reply } from '../../scripts/replay/replay-server.ts'
import { streamReply } from '../../scripts/replay/replies.ts'
import { asLanguageModel } from '../../src/ai-sdk/index.ts'
import { type ConfigLayer, createHost, type Host } from '../../src/core/index.ts'
import clock from '../../tools/clock/index.ts'
import { needsSdk, type Sdk, sdkOf } from './sdk.ts'

/** An image of one dot. */
const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const QUESTION = 'How is the weather in Rome?'

for (const version of [5, 6, 7] as const) {
  describe(`asLanguageModel in version ${version} of the AI SDK`, () => {
    let sdk: Sdk
    let host: Host
    let server: ReplayServer

    before(async function () {
      needsSdk(this)
      sdk = await sdkOf(version)
      host = await createHost({ plugins: [scripted, clock, openai] })
      server = await new ReplayServer().start()
    })
    after(async () => {
      await host?.close()
      await server?.close()
    })

    const open = async (config: ConfigLayer = {}) => {
      const opened = await host.open({ provider: 'scripted', ...config })
      return { opened, model: asLanguageModel(opened, { sdk: version } as { sdk: 7 }) }
    }
    const remote = () =>
      open({
        provider: 'openai',
        model: 'gpt-4.1',
        settings: { openai: { api_key: 'sk-test-0123456789', base_url: server.url, api: 'chat' } },
      })
    const weatherOf = (ran: unknown[]) =>
      sdk.tool({
        description: 'The weather in a city',
        inputSchema: sdk.jsonSchema({
          type: 'object',
          properties: { city: { type: 'string' } },
          required: ['city'],
        }),
        execute: async (input: unknown) => {
          ran.push(input)
          return 'sunny'
        },
      })

    it('streams an answer with calls of tools that the AI SDK runs', async () => {
      const { opened, model } = await open()
      const ran: unknown[] = []
      const tools = { weather: weatherOf(ran) }
      const asked = { model, prompt: QUESTION, tools, stopWhen: sdk.stopAfter(4) }
      const answer = sdk.streamText(asked)
      let text = ''
      for await (const delta of answer.textStream) text += delta
      expect(text).to.equal('weather says: sunny.')
      expect(ran).to.deep.equal([{ city: 'Rome' }])
      const steps = await answer.steps
      expect(steps.map(({ finishReason }) => finishReason)).to.deep.equal(['tool-calls', 'stop'])
      expect(steps[1]?.usage.inputTokens).to.be.greaterThan(0)
      opened.end()
    })

    it('generates the same answer', async () => {
      const { opened, model } = await open()
      const ran: unknown[] = []
      const tools = { weather: weatherOf(ran) }
      const asked = { model, prompt: QUESTION, tools, stopWhen: sdk.stopAfter(4) }
      const { text, steps } = await sdk.generateText(asked)
      expect(text).to.equal('weather says: sunny.')
      expect(ran).to.deep.equal([{ city: 'Rome' }])
      expect(steps.length).to.equal(2)
      opened.end()
    })

    it('does not show the model the tools of plugins', async () => {
      const { opened, model } = await open()
      const { text, toolCalls } = await sdk.generateText({ model, prompt: 'What time is it?' })
      expect(opened.tools.map(({ name }) => name)).to.include('current_time')
      expect(toolCalls).to.deep.equal([])
      expect(text).not.to.equal('')
      opened.end()
    })

    it('answers with an object that follows a schema', async () => {
      const { opened, model } = await open()
      const properties = { city: { type: 'string', enum: ['Rome', 'Oslo'] } }
      const schema = sdk.jsonSchema({ type: 'object', properties, required: ['city'] })
      const output = sdk.Output.object({ schema })
      const asked = { model, prompt: 'Which city: Rome', output, experimental_output: output }
      const answer = await sdk.generateText(asked)
      expect(answer.experimental_output ?? answer.output).to.deep.equal({ city: 'Rome' })
      opened.end()
    })

    it('ends the request when the caller aborts', async () => {
      server.reply = () => streamReply([chunk('one'), chunk(' two')], { ending: 'never' })
      const { opened, model } = await remote()
      const abort = new AbortController()
      const { signal: abortSignal } = abort
      const seen: string[] = []
      const answer = sdk.streamText({ model, prompt: 'Hello', abortSignal })
      for await (const part of answer.fullStream) {
        seen.push(part.type)
        if (part.type === 'text-delta') abort.abort()
      }
      expect(seen.at(-1)).to.equal('abort')
      expect(seen).not.to.include('error')
      await closed(server)
      opened.end()
    })

    it('repeats a request that a model API refuses for a while, as often as the AI SDK says', async () => {
      const replies: Reply[] = [
        { status: 503, headers: { 'retry-after-ms': '1', 'retry-after': '0' }, pieces: ['{}'] },
        streamReply([chunk('back'), 'data: [DONE]\n\n']),
      ]
      const { opened, model } = await remote()
      server.requests.length = 0
      server.reply = () => replies.shift() as Reply
      const answer = sdk.streamText({ model, prompt: 'Hello', maxRetries: 1 })
      let text = ''
      for await (const delta of answer.textStream) text += delta
      expect(text).to.equal('back')
      expect(server.requests.length).to.equal(2)
      opened.end()
    })

    it('sends images, by content and by address', async () => {
      server.reply = () => streamReply([chunk('a dot'), 'data: [DONE]\n\n'])
      const { opened, model } = await remote()
      const content = [
        { type: 'image', image: PNG },
        { type: 'image', image: new URL('https://images.test/dot.png') },
      ]
      const answer = sdk.streamText({ model, messages: [{ role: 'user', content }] })
      await answer.consumeStream()
      const sent = server.requests.at(-1)?.body['messages'] as { content: object[] }[]
      expect(sent[0]?.content).to.deep.equal([
        { type: 'image_url', image_url: { url: `data:image/png;base64,${PNG}` } },
        { type: 'image_url', image_url: { url: 'https://images.test/dot.png' } },
      ])
      opened.end()
    })

    it('fails with an APICallError that may be repeated where nobody listens', async () => {
      const { opened, model } = await open({
        provider: 'openai',
        model: 'gpt-4.1',
        settings: { openai: { api_key: 'sk-test-0123456789', base_url: 'http://127.0.0.1:9/v1' } },
      })
      const error: unknown = await sdk
        .generateText({ model, prompt: 'Hello', maxRetries: 0 })
        .catch((thrown: unknown) => thrown)
      expect(sdk.APICallError.isInstance(error)).to.equal(true)
      expect(error).to.include({ isRetryable: true })
      opened.end()
    })

    it('fails with an APICallError that has the status', async () => {
      server.reply = () => ({ status: 401, pieces: ['{"error":{"message":"no such key"}}'] })
      const { opened, model } = await remote()
      const error: unknown = await sdk.generateText({ model, prompt: 'Hello' }).then(
        () => undefined,
        (thrown: unknown) => thrown,
      )
      expect(sdk.APICallError.isInstance(error)).to.equal(true)
      expect(error).to.include({ statusCode: 401, isRetryable: false })
      opened.end()
    })
  })
}

function chunk(content: string): string {
  const choices = [{ index: 0, delta: { content }, finish_reason: null }]
  return `data: ${JSON.stringify({ id: 'c1', object: 'chat.completion.chunk', choices })}\n\n`
}

/** Waits until no answer is open. The limit of the test ends a wait that has no end. */
async function closed(server: ReplayServer): Promise<void> {
  while (server.open > 0) await new Promise((resolve) => setTimeout(resolve, 5))
}
