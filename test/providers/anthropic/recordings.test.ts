import { expect } from 'chai'
import { streamText } from '../../../scripts/replay/envelope.ts'
import { type Recording, replyOf } from '../../../scripts/replay/recording.ts'
import { ReplayServer } from '../../../scripts/replay/replay-server.ts'
import { jsonReply, piecesOf, streamReply } from '../../../scripts/replay/replies.ts'
import type { Host, Message } from '../../../src/core/index.ts'
import { sampled } from '../../helpers/cases.ts'
import { hasShared, SHARED_IS_MISSING } from '../../helpers/recordings.ts'
import { streamed } from '../openai/asking.ts'
import { configFor, hostWithTools, ownRecording, recordings } from './asking.ts'

/** Recordings that are refused, with the code. */
const REFUSED: ReadonlyMap<string, string> = new Map([
  ['messages/refused.json', 'INVALID_REQUEST'],
  ['anthropic/spliced-message-start.chunks.txt', 'PROVIDER_FAILED'],
])

describe('the recordings of the messages API', () => {
  const all = recordings()
  const answers = all.filter(({ name }) => !REFUSED.has(name))
  let server: ReplayServer
  let host: Host

  before(async () => {
    server = await new ReplayServer().start()
    const found = all.flatMap(({ text }) => [...text.matchAll(/"tool_name": ?"(\w+)"/g)])
    host = await hostWithTools([...new Set(found.map(([, name]) => String(name)))])
  })
  after(async () => {
    await host.close()
    await server.close()
  })

  const ask = (recording: Recording) => {
    server.reply = () => replyOf(recording)
    return streamed(host, configFor(server))
  }

  const answerOf = async (recording: Recording): Promise<Message> => {
    if (recording.mode === 'stream') return (await ask(recording)).result.messages[0] as Message
    server.reply = () => replyOf(recording)
    return (await host.send(configFor(server), 'Hello')).messages[0] as Message
  }

  it('of others are beside this repository', function () {
    if (hasShared) return
    this.test!.title += SHARED_IS_MISSING
    this.skip()
  })

  const streams = answers.filter(({ mode }) => mode === 'stream')
  for (const recording of sampled(streams, 3)) {
    it(`add up to the message: ${recording.name}`, async () => {
      const { gathered, result } = await ask(recording)
      expect(result.error).to.equal(undefined)
      expect(gathered).to.deep.equal(result.messages)
    })

    it(`are the same in pieces of any size: ${recording.name}`, async () => {
      const whole = await ask(recording)
      for (const size of recording.lines.length > 200 ? [997] : [11, 256]) {
        server.reply = () => streamReply(piecesOf(recording.text, size))
        const cut = await streamed(host, configFor(server))
        expect(cut.result.messages).to.deep.equal(whole.result.messages)
      }
    })
  }

  for (const recording of sampled(answers, 3, 1)) {
    it(`come back as the blocks that they were: ${recording.name}`, async () => {
      const message = await answerOf(recording)
      const { native } = await host.dryRun(configFor(server), conversation(message))
      const sent = blocksIn(native)
      expect(sent).to.deep.equal(blocksOf(recording))
    })
  }

  for (const name of ['everything', 'hosted', 'refusal']) {
    it(`CL-42 end in the same message in send and stream: ${name}`, async () => {
      const { result } = await ask(ownRecording(`messages/${name}.chunks.txt`))
      const body = ownRecording(`messages/${name}.json`).text
      server.reply = () => jsonReply(body)
      const sent = await host.send(configFor(server), 'Hello')
      expect(result.messages[0]?.parts).to.deep.equal(sent.messages[0]?.parts)
      expect(result.finishReason).to.equal(sent.finishReason)
      const { raw: _streamed, ...usage } = result.usage ?? {}
      const { raw: _sent, ...expected } = sent.usage ?? {}
      expect(usage).to.deep.equal(expected)
    })
  }

  it('show everything that the API has parts for', async () => {
    const { result } = await ask(ownRecording('messages/everything.chunks.txt'))
    const [message] = result.messages
    expect(message?.parts.map(({ type }) => type)).to.deep.equal([
      'reasoning',
      'reasoning',
      'tool-call',
      'tool-result',
      'source',
      'source',
      'text',
      'source',
      'text',
      'tool-call',
      'tool-call',
    ])
    expect(result.finishReason).to.equal('tool-calls')
    expect(result.usage).to.include({ input: 200, output: 88, reasoning: 21 })
    expect(result.usage).to.include({ cacheRead: 50, cacheWrite: 30 })
  })

  it('add up the usage of their iterations, but for an advisor’s', async () => {
    const { result } = await ask(ownRecording('messages/hosted.chunks.txt'))
    expect(result.usage).to.include({ input: 5740, output: 160, cacheRead: 40, cacheWrite: 0 })
  })

  it('keep what only the API can read out of what others see', async () => {
    const { result } = await ask(ownRecording('messages/everything.chunks.txt'))
    const outputs = result.messages.flatMap(({ parts }) =>
      parts.flatMap((part) => (part.type === 'tool-result' ? [part.output] : [])),
    )
    expect(JSON.stringify(outputs)).to.include('Oslo today').and.not.include('encrypted_content')
  })

  it('of a refusal end with "content-filter", and say why', async () => {
    const { result } = await ask(ownRecording('messages/refusal.chunks.txt'))
    expect(result.finishReason).to.equal('content-filter')
    expect(result.messages[0]?.metadata).to.deep.nested.include({
      'anthropic.stopDetails': { type: 'refusal', category: 'bio', explanation: 'No.' },
    })
  })

  for (const recording of all) {
    const code = REFUSED.get(recording.name)
    if (code === undefined) continue
    it(`are refused with ${code}: ${recording.name}`, async () => {
      const { result } = await ask(recording)
      expect(result).to.include({ status: 'failed' })
      expect(result.error).to.include({ code })
    })
  }

  it('that are several answers in one stream add up to one message', async () => {
    const parts = ['everything', 'refusal'].map((name) =>
      ownRecording(`messages/${name}.chunks.txt`),
    )
    server.reply = () =>
      streamReply(
        streamText(
          'messages',
          parts.flatMap(({ lines }) => lines),
        ),
      )
    const { gathered, result } = await streamed(host, configFor(server))
    expect(result.error).to.equal(undefined)
    expect(gathered).to.deep.equal(result.messages)
    expect(result.messages[0]?.parts.at(-1)).to.deep.equal({ type: 'text', text: 'I cannot' })
  })
})

const user = { role: 'user', parts: [{ type: 'text', text: 'Hello' }] } as const

/** A message with results for its calls, and calls for its results, so that nothing has to be repaired. */
function conversation(message: Message): readonly Message[] {
  const results = message.parts.flatMap((part) =>
    part.type === 'tool-call' && !part.providerExecuted
      ? [{ type: 'tool-result', callId: part.callId, name: part.name, output: 'ok' } as const]
      : [],
  )
  const answered = results.length > 0 ? [{ role: 'tool', parts: results } as const] : []
  return [user, ...callsBefore(message), message, ...answered, user]
}

/** The API's own calls that a message has the results of, or comes from, and not the calls themselves. */
function callsBefore({ parts }: Message): readonly Message[] {
  const own = new Set(parts.map((part) => (part.type === 'tool-call' ? part.callId : '')))
  const results = parts.map((part) => (part.type === 'tool-result' ? part.callId : ''))
  const callers = [...JSON.stringify(parts).matchAll(/"tool_id":"(\w+)"/g)].map(
    ([, id]) => id ?? '',
  )
  const missing = [...new Set([...results, ...callers])].filter((id) => id && !own.has(id))
  if (missing.length === 0) return []
  const calls = missing.map((callId) => ({ ...ownCall, callId }))
  // The API goes on with a turn in which it waits for the host.
  const result = { ...hostCall, type: 'tool-result', output: 'ok' } as const
  return [
    { role: 'assistant', parts: [...calls, hostCall] },
    { role: 'tool', parts: [result] },
  ]
}

const hostCall = { type: 'tool-call', callId: 'before', name: 'look', input: {} } as const

const ownCall = {
  type: 'tool-call',
  name: 'code_execution',
  input: {},
  providerExecuted: true,
  providerMetadata: { anthropic: { block: { type: 'server_tool_use' } } },
} as const

function blocksIn(native: unknown): unknown {
  const { messages } = native as { messages: readonly { role: string; content: unknown }[] }
  return messages.findLast(({ role }) => role === 'assistant')?.content ?? []
}

/** The blocks of a recording, as the API's own client would gather them. */
function blocksOf({ mode, lines }: Recording): unknown {
  if (mode === 'send') return (JSON.parse(lines.join('\n')) as { content: unknown }).content
  const blocks: Block[] = []
  const texts = new Map<Block, string>()
  for (const line of lines) gather(JSON.parse(line) as StreamEvent, blocks, texts)
  for (const [block, text] of texts) block['input'] = JSON.parse(text)
  return blocks.filter((block) => block['text'] !== '')
}

type Block = { [key: string]: unknown }
interface StreamEvent {
  readonly type: string
  readonly message?: { readonly content: readonly Block[] }
  readonly index?: number
  readonly content_block?: Block
  readonly delta?: Block
}

function gather(event: StreamEvent, blocks: Block[], texts: Map<Block, string>): void {
  if (event.type === 'message_start') blocks.push(...(event.message?.content ?? []))
  if (event.type === 'content_block_start') blocks.push({ ...event.content_block })
  const block = blocks[event.index ?? 0]
  if (event.type !== 'content_block_delta' || !block) return
  const { type: _type, partial_json: json, citation, ...grown } = event.delta ?? {}
  if (json) texts.set(block, `${texts.get(block) ?? ''}${String(json)}`)
  if (citation) block['citations'] = [...((block['citations'] ?? []) as Block[]), citation]
  for (const [key, value] of Object.entries(grown)) {
    if (value !== null) block[key] = `${String(block[key] ?? '')}${String(value)}`
  }
}
