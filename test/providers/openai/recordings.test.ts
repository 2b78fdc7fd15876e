import { expect } from 'chai'
import { streamText } from '../../../scripts/replay/envelope.ts'
import { ReplayServer } from '../../../scripts/replay/replay-server.ts'
import { jsonReply, piecesOf, streamReply } from '../../../scripts/replay/replies.ts'
import type { Host, Message } from '../../../src/core/index.ts'
import { sampled } from '../../helpers/cases.ts'
import { configFor, openaiHost, replyOf, streamed } from './asking.ts'
import {
  hasShared,
  joinedRecordings,
  ownRecordings,
  type Recording,
  sharedRecordings,
} from './recordings.ts'

/** Recordings whose last event has another answer than the events before it. */
const OTHER_AT_THE_END: { readonly [name: string]: string } = {
  'openai/responses/github-copilot-id-rotation.1.chunks.txt':
    'the whole response has other ids than the items that were streamed',
  'openai/responses/openai-reasoning-encrypted-content.1.chunks.txt#1':
    'the reasoning is sealed a second time in the whole response',
  'openai/responses/openai-shell-container.1.chunks.txt':
    'the recorded deltas are only the beginning of the recorded text',
}

/** Recordings with lines that are no JSON: a typed error at their end. */
const MALFORMED = new Set(['openai/responses/parallel-tool-call-wrapper.1.chunks.txt'])

describe('the recordings of the OpenAI APIs', () => {
  let server: ReplayServer
  let host: Host

  before(async () => {
    server = await new ReplayServer().start()
    host = await openaiHost()
  })
  after(async () => {
    await host.close()
    await server.close()
  })

  const ask = (recording: Recording) => {
    server.reply = () => replyOf(recording)
    return streamed(host, configFor(server, { api: recording.api }))
  }

  const inPieces = (recording: Recording, size: number) => {
    const text = streamText(recording.api, recording.lines)
    server.reply = () => streamReply(piecesOf(text, size))
    return streamed(host, configFor(server, { api: recording.api }))
  }

  it('of others are beside this repository', function () {
    if (hasShared) return
    this.test!.title += ' (skipped: ../shared/recordings is missing, only our own are replayed)'
    this.skip()
  })

  const answers = [...ownRecordings(), ...sharedRecordings()]
  const streams = [...answers, ...joinedRecordings()].filter(
    ({ mode, name }) => mode === 'stream' && !MALFORMED.has(name),
  )
  for (const recording of sampled(streams, 3)) {
    it(`add up to the message: ${recording.name}`, async () => {
      const { gathered, result } = await ask(recording)
      expect(result.error).to.equal(undefined)
      expect(result.status).to.equal('done')
      expect(gathered).to.deep.equal(result.messages)
    })

    it(`are the same in pieces of any size: ${recording.name}`, async () => {
      const whole = await ask(recording)
      for (const size of recording.lines.length > 200 ? [997] : [11, 256]) {
        const cut = await inPieces(recording, size)
        expect(cut.result.messages).to.deep.equal(whole.result.messages)
        expect(cut.gathered).to.deep.equal(whole.gathered)
      }
    })
  }

  for (const recording of sampled(answers, 3, 1)) {
    const whole = wholeAnswerOf(recording)
    if (whole === undefined || Object.hasOwn(OTHER_AT_THE_END, recording.name)) continue

    it(`CL-42 end in the same message in send and stream: ${recording.name}`, async () => {
      const { result } = await ask(recording)
      server.reply = () => jsonReply(whole)
      const sent = await host.send(configFor(server, { api: recording.api }), 'Hello')
      expect(result.messages).to.deep.equal(sent.messages)
      expect(result.usage).to.deep.equal(sent.usage)
      expect(result.finishReason).to.equal(sent.finishReason)
    })
  }

  for (const recording of sampled(answers, 3, 2)) {
    if (recording.api === 'chat' || Object.hasOwn(OTHER_AT_THE_END, recording.name)) continue
    const whole = wholeAnswerOf(recording)
    const items = (whole as { output?: unknown } | undefined)?.output
    if (!Array.isArray(items)) continue

    it(`come back as the items that they were: ${recording.name}`, async () => {
      server.reply = () => jsonReply(whole)
      const config = configFor(server)
      const { messages } = await host.send(config, 'Hello')
      const { native } = await host.dryRun(config, answered(messages))
      const { input } = native as { input: unknown[] }
      expect(input.slice(1, 1 + items.length)).to.deep.equal(items)
    })
  }

  it('with a malformed line show what came, and end in a typed error', async function () {
    const recording = sharedRecordings().find(({ name }) => MALFORMED.has(name))
    if (!recording) {
      this.test!.title += ' (skipped: ../shared/recordings is missing)'
      return this.skip()
    }
    const { gathered, result } = await ask(recording)
    expect(result.status).to.equal('failed')
    expect(result.error).to.include({ code: 'PROVIDER_FAILED', plugin: 'openai' })
    expect(gathered[0]?.parts.map(({ type }) => type)).to.deep.equal(['tool-call'])
  })
})

/** The same answer as one body: recorded, or the last event's. */
function wholeAnswerOf({ api, mode, lines, name }: Recording): unknown {
  if (MALFORMED.has(name)) return undefined
  if (mode === 'send') return api === 'responses' ? JSON.parse(lines.join('\n')) : undefined
  if (api === 'responses')
    return (JSON.parse(lines.at(-1) ?? '{}') as { response?: unknown }).response
  const twin = ownRecordings().find((other) => other.name === name.replace('.chunks.txt', '.json'))
  return twin && JSON.parse(twin.lines.join('\n'))
}

/** A history that goes on: each call of the host has its result. */
function answered(messages: readonly Message[]): readonly Message[] {
  const calls = messages.flatMap(({ parts }) => parts.filter((part) => part.type === 'tool-call'))
  const results = calls
    .filter((call) => !call.providerExecuted)
    .map(({ callId, name }) => ({ type: 'tool-result' as const, callId, name, output: 'done' }))
  const first: Message = { role: 'user', parts: [{ type: 'text', text: 'Hello' }] }
  return [
    first,
    ...messages,
    ...(results.length > 0 ? [{ role: 'tool' as const, parts: results }] : []),
  ]
}
