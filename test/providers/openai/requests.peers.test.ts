import { expect } from 'chai'
import { ReplayServer } from '../../../scripts/replay/replay-server.ts'
import type { Host, Message } from '../../../src/core/index.ts'
import { askPeers, hasPeers, type PeerAnswer } from '../peers.ts'
import { configFor, openaiHost, replyOf, streamed } from './asking.ts'
import {
  hasShared,
  joinedRecordings,
  ownRecordings,
  type Recording,
  sharedRecordings,
} from './recordings.ts'

type Aspect = 'answer' | 'reasoning' | 'calls' | 'sources' | 'finishReason'

/** Where we differ from the published client, and why that is right. */
const DIFFERENCES: readonly { on: RegExp; in: readonly Aspect[]; because: string }[] = [
  {
    on: /lmstudio-tool-call/,
    in: ['reasoning'],
    because: 'it passes over reasoning_text, the reasoning that open models show whole',
  },
  {
    on: /local-shell-tool|client-tool-search|openai-shell-tool\.1\.(json|chunks\.txt(#1)?$)/,
    in: ['finishReason'],
    because: 'it ends with "stop" although a call waits for the host to run it',
  },
  {
    on: /xai-x-search-tool\.(1\.json|chunks)/,
    in: ['answer'],
    because: 'it refuses citations without a title, and items of the kinds that xAI adds',
  },
  {
    on: /parallel-tool-call-wrapper\.1\.chunks/,
    in: ['answer'],
    because: 'two lines of the recording are no JSON; both of us say so, each in its way',
  },
  {
    on: /responses\/refusal/,
    in: ['answer'],
    because: 'it passes over the text of a refusal, and ends with "stop"',
  },
  { on: /chat\/refusal/, in: ['answer'], because: 'it passes over the text of a refusal' },
  { on: /chat\/calls/, in: ['reasoning'], because: 'it passes over reasoning_content' },
  {
    on: /responses\/hosted/,
    in: ['answer'],
    because: 'it refuses items of a kind that it does not know',
  },
  {
    on: /web-search-tool|responses\/everything/,
    in: ['sources'],
    because:
      'it leaves out the citation of a page that a search found, and so its title and its place in the text',
  },
]

describe('the OpenAI provider beside the published @ai-sdk/openai', () => {
  const recordings = [...ownRecordings(), ...sharedRecordings(), ...joinedRecordings()]
  let server: ReplayServer
  let host: Host
  let peers: ReadonlyMap<string, PeerAnswer>

  before(async function () {
    this.timeout(120_000)
    if (!hasPeers) return
    server = await new ReplayServer().start()
    host = await openaiHost()
    server.reply = ({ path }) => replyOf(recordings[Number(path.split('/')[2])] as Recording)
    const jobs = recordings.map(({ name, api, mode }, index) => {
      return { name, api, mode, url: `${server.url}/${index}`, model: 'gpt-4.1' }
    })
    peers = await askPeers('ai-sdk-openai.mjs', jobs)
  })
  after(async () => {
    await host?.close()
    await server?.close()
  })

  for (const recording of recordings) {
    const difference = DIFFERENCES.find(({ on }) => on.test(recording.name))
    const but = difference ? ` (but for ${difference.in.join(', ')}: ${difference.because})` : ''

    it(`answers alike: ${recording.name}${but}`, async function () {
      if (!hasPeers) {
        this.test!.title += ' (skipped: run npm install in test/peers)'
        return this.skip()
      }
      const peer = peers.get(recording.name)
      const differs = (aspect: Aspect) => difference?.in.includes(aspect) === true
      if (!peer || differs('answer')) return
      const message = await answerTo(recording)
      if (peer.thrown !== undefined) {
        expect(message).to.be.a('string').that.includes(peer.thrown)
        return
      }
      expectAlike(message as Message, peer, differs)
    })
  }

  it('has the recordings of others to compare', function () {
    if (hasShared) return
    this.test!.title += ' (skipped: ../shared/recordings is missing)'
    this.skip()
  })

  async function answerTo(recording: Recording): Promise<Message | string> {
    server.reply = () => replyOf(recording)
    const config = configFor(server, { api: recording.api })
    if (recording.mode === 'send') {
      return host.send(config, 'Hello').then(
        ({ messages }) => messages[0] as Message,
        (error: Error) => error.message,
      )
    }
    const { result } = await streamed(host, config)
    return result.error?.message ?? (result.messages[0] as Message)
  }
})

function expectAlike(
  message: Message,
  peer: PeerAnswer,
  differs: (aspect: Aspect) => boolean,
): void {
  const { parts, metadata = {} } = message
  const textOf = (type: 'text' | 'reasoning') =>
    parts.map((part) => (part.type === type ? part.text : '')).join('')
  expect(textOf('text')).to.equal(peer.text)
  if (!differs('reasoning')) expect(textOf('reasoning')).to.equal(peer.reasoning)
  expect(callsOf(message)).to.deep.equal(peer.calls.map(shownCall))
  const sources = parts.flatMap((part) => (part.type === 'source' ? [part.url ?? part.title] : []))
  const peerSources = peer.sources.map(({ url, title }) => url ?? title)
  if (differs('sources')) expect(sources).to.include.members(peerSources)
  else expect(sources).to.deep.equal(peerSources)
  if (!differs('finishReason')) expect(metadata.finishReason).to.equal(peer.finishReason)
  const { input, output, cacheRead, reasoning } = metadata.usage ?? {}
  expect({ input, output, cacheRead, reasoning }).to.deep.equal({
    input: peer.usage.inputTokens.total,
    output: peer.usage.outputTokens.total,
    cacheRead: peer.usage.inputTokens.cacheRead,
    reasoning: peer.usage.outputTokens.reasoning,
  })
}

/** Calls by name; with id and arguments where both have them from the model, and not from an item's fields. */
function callsOf({ parts }: Message): readonly unknown[] {
  return parts.flatMap((part) =>
    part.type === 'tool-call'
      ? [
          shownCall({
            toolCallId: part.callId,
            toolName: part.name,
            input: JSON.stringify(part.input),
          }),
        ]
      : [],
  )
}

const OF_ITEMS =
  /^(web_search|file_search|code_interpreter|image_generation|shell|local_shell|apply_patch|tool_search)$/

function shownCall({ toolCallId, toolName, input }: PeerAnswer['calls'][number]): object {
  if (OF_ITEMS.test(toolName)) return { name: toolName }
  // It makes up an id for a call that waits for approval.
  const id = toolName.startsWith('mcp.') ? {} : { id: toolCallId }
  return { name: toolName, ...id, input: JSON.parse(input) }
}
