import { expect } from 'chai'
import { ReplayServer } from '../../scripts/replay/replay-server.ts'
import { asLanguageModel } from '../../src/ai-sdk/index.ts'
import type { Host, Message } from '../../src/core/index.ts'
import { configFor, openaiHost, replyOf } from '../providers/openai/asking.ts'
import { ownRecordings, sharedRecordings } from '../providers/openai/recordings.ts'
import { hasSdk, needsSdk, type Sdk, sdkOf } from './sdk.ts'

const said = (text: string): Message => ({ role: 'user', parts: [{ type: 'text', text }] })
const asked = (content: string) => ({ role: 'user', content })

/** What a version has no place for. It also drops empty texts, and version 5 does not know calls that an API ran. */
const LOST = {
  5: ({ parts }: Message) =>
    parts.some((part) => part.type === 'tool-call') || LOST[6]({ role: 'assistant', parts }),
  6: ({ parts }: Message) =>
    parts.some((part) => part.type === 'data' || (part.type === 'text' && part.text === '')),
  7: () => false,
}

for (const version of [5, 6, 7] as const) {
  describe(`a second turn over version ${version} of the AI SDK`, () => {
    const recordings = [...ownRecordings(), ...sharedRecordings()].filter(
      ({ mode, isError }) => mode === 'send' && !isError,
    )
    let server: ReplayServer
    let host: Host
    let sdk: Sdk

    before(async () => {
      if (!hasSdk) return
      server = await new ReplayServer().start()
      host = await openaiHost()
      sdk = await sdkOf(version)
    })
    after(async () => {
      await host?.close()
      await server?.close()
    })

    for (const recording of recordings) {
      it(`sends back what the host sends back: ${recording.name}`, async function () {
        needsSdk(this)
        server.reply = () => replyOf(recording)
        const config = configFor(server, { api: recording.api })
        const { messages, finishReason } = await host.send(config, 'Hello')
        // The AI SDK answers calls of tools that it does not have, with words of its own.
        if (finishReason === 'tool-calls') return
        if (messages.some(LOST[version])) return
        await host.send(config, [said('Hello'), ...messages, said('Go on')])
        const ours = server.requests.at(-1)?.body

        using opened = await host.open(config)
        const model = asLanguageModel(opened, { sdk: version } as { sdk: 7 })
        const { response } = await sdk.generateText({ model, prompt: 'Hello' })
        const prompt = [asked('Hello'), ...response.messages, asked('Go on')]
        await sdk.generateText({ model, messages: prompt })
        expect(server.requests.at(-1)?.body).to.deep.equal(ours)
      })
    }
  })
}
