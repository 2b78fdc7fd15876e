import { expect } from 'chai'
import { replyOf } from '../../../scripts/replay/recording.ts'
import { ReplayServer } from '../../../scripts/replay/replay-server.ts'
import { piecesOf, streamReply } from '../../../scripts/replay/replies.ts'
import type { Host } from '../../../src/core/index.ts'
import { sampled } from '../../helpers/cases.ts'
import { streamed } from '../openai/asking.ts'
import { compatibleHost, configFor } from './asking.ts'
import { hasShared, type PlacedRecording, recordings } from './recordings.ts'

interface Chunk {
  readonly usage?: unknown
  readonly choices?: readonly {
    readonly finish_reason?: string | null
    readonly delta?: { readonly [field: string]: unknown }
  }[]
}

describe('the recordings of OpenAI-compatible servers', () => {
  let server: ReplayServer
  let host: Host

  before(async () => {
    server = await new ReplayServer().start()
    host = await compatibleHost()
  })
  after(async () => {
    await host.close()
    await server.close()
  })

  const configOf = ({ preset }: PlacedRecording) => configFor(server, preset ? { preset } : {})

  it('of others are beside this repository', function () {
    if (hasShared) return
    this.test!.title += ' (skipped: ../shared/recordings is missing, only our own are replayed)'
    this.skip()
  })

  for (const recording of sampled(recordings(), 3)) {
    if (recording.mode === 'send') {
      it(`are read whole: ${recording.name}`, async () => {
        server.reply = () => replyOf(recording)
        const { messages } = await host.send(configOf(recording), 'Hello')
        const hasCalls = /"(tool_calls|function_call)": [[{]/.test(recording.text)
        const types = messages[0]?.parts.map(({ type }) => type)
        expect(types).to.include(hasCalls ? 'tool-call' : 'text')
      })
      continue
    }

    it(`add up to the message: ${recording.name}`, async () => {
      server.reply = () => replyOf(recording)
      const { gathered, result } = await streamed(host, configOf(recording))
      expect(result.error).to.equal(undefined)
      expect(result.status).to.equal('done')
      expect(gathered).to.deep.equal(result.messages)
    })

    it(`have every word that was sent, and the counts: ${recording.name}`, async () => {
      server.reply = () => replyOf(recording)
      const { result } = await streamed(host, configOf(recording))
      const chunks = recording.lines
        .filter((line) => line.startsWith('{'))
        .map((line) => JSON.parse(line) as Chunk)
      const deltas = chunks.flatMap(({ choices = [] }) => choices.map(({ delta = {} }) => delta))
      const wordsOf = (...fields: readonly string[]) =>
        deltas
          .map(
            (delta) =>
              fields.map((field) => delta[field]).find((value) => typeof value === 'string') ?? '',
          )
          .join('')
      const textOf = (type: 'text' | 'reasoning') =>
        result.messages
          .flatMap(({ parts }) => parts.map((part) => (part.type === type ? part.text : '')))
          .join('')
      if (!recording.name.includes('fixtures/')) {
        expect(textOf('text')).to.equal(wordsOf('content'))
        expect(textOf('reasoning')).to.equal(wordsOf('reasoning_content', 'reasoning'))
      }
      const usage = chunks.map((chunk) => chunk.usage).findLast(Boolean)
      if (usage !== undefined) expect(result.usage.raw).to.deep.equal(usage)
    })

    it(`are the same in pieces of any size: ${recording.name}`, async () => {
      server.reply = () => replyOf(recording)
      const whole = await streamed(host, configOf(recording))
      for (const size of recording.lines.length > 200 ? [997] : [11, 256]) {
        server.reply = () => streamReply(piecesOf(recording.text, size))
        const cut = await streamed(host, configOf(recording))
        expect(cut.result.messages).to.deep.equal(whole.result.messages)
        expect(cut.gathered).to.deep.equal(whole.gathered)
      }
    })
  }
})
