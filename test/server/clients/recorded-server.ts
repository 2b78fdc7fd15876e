import { expect } from 'chai'
import anthropic from '../../../providers/anthropic/index.ts'
import openai from '../../../providers/openai/index.ts'
import openaiCompatible from '../../../providers/openai-compatible/index.ts'
import { replyOf } from '../../../scripts/replay/recording.ts'
import { ReplayServer } from '../../../scripts/replay/replay-server.ts'
import { configFor } from '../../../scripts/replay/replayer.ts'
import { memoryStorage } from '../../../src/agent/memory-storage/index.ts'
import { createHost, type Host } from '../../../src/core/index.ts'
import { createServer, type Listening, LOCAL, listen } from '../../../src/server/index.ts'
import { IS_EXHAUSTIVE } from '../../hostile/answers.ts'
import { type Recorded, RecordedAnswers, recordedStreams } from '../wire/recorded-answers.ts'

/** Of so many recordings one is tried where not all are. */
const SAMPLE = 8
/** Names that a client may give its tools. */
const NAME = /^[A-Za-z0-9_-]{1,64}$/

/** What a client was told. */
export interface Told {
  readonly text: string
  readonly reasoning: string
  readonly calls: readonly string[]
  readonly usage: readonly [input: number, output: number]
}

export interface Subject {
  readonly name: string
  /** The published model that answers with the recording. */
  readonly model: string
  readonly recorded: Recorded
  readonly tools: readonly string[]
}

/** A server whose models answer with recordings, each through its provider. */
export class RecordedServer {
  readonly subjects: readonly Subject[]
  /** How many recordings were taken, also those that no client can be told of. */
  readonly taken: number
  readonly #upstream: ReplayServer
  readonly #host: Host
  readonly #listening: Listening

  private constructor(
    subjects: readonly Subject[],
    taken: number,
    own: { upstream: ReplayServer; host: Host; listening: Listening },
  ) {
    this.subjects = subjects
    this.taken = taken
    this.#upstream = own.upstream
    this.#host = own.host
    this.#listening = own.listening
  }

  static async start(): Promise<RecordedServer> {
    const all = recordedStreams().filter((_, at) => IS_EXHAUSTIVE || at % SAMPLE === 0)
    const upstream = await new ReplayServer().start()
    upstream.reply = ({ path }) => replyOf(all[Number(/^\/v1\/(\d+)/.exec(path)?.[1])]!.recording)
    const host = await createHost({
      plugins: [anthropic, openai, openaiCompatible],
      config: { provider: 'openai', limits: { max_rounds: 1 } },
    })
    const models = Object.fromEntries(
      all.map(({ place }, at) => [`m${at}`, { config: configFor(place, `${upstream.url}/${at}`) }]),
    )
    const storage = memoryStorage()
    const server = await createServer({ host, storage, models, anonymous: LOCAL })
    const listening = await listen(server, { port: 0 })
    return new RecordedServer(await subjectsOf(all), all.length, { upstream, host, listening })
  }

  get url(): string {
    return this.#listening.url
  }

  async close(): Promise<void> {
    await this.#listening.close()
    await this.#host.close()
    await this.#upstream.close()
  }

  /** Compares what a client was told of each recording with what it says. */
  async compare(
    { test }: Mocha.Context,
    told: (subject: Subject) => Told | Promise<Told>,
  ): Promise<void> {
    for (const subject of this.subjects) {
      expect(await told(subject), subject.name).to.deep.equal(saidBy(subject.recorded))
    }
    test!.title += ` (${this.subjects.length} of ${this.taken} answers)`
  }
}

async function subjectsOf(all: ReturnType<typeof recordedStreams>): Promise<readonly Subject[]> {
  const recordings = await RecordedAnswers.start()
  const subjects: Subject[] = []
  for (const [at, subject] of all.entries()) {
    const recorded = await recordings.run(subject)
    const tools = [...new Set(recorded.calls.map(({ name }) => name))]
    // What is no call of a client's tool, the server answers: that is tried elsewhere.
    const isClients = recorded.calls.every(({ input }) => typeof input === 'object')
    if (recorded.isFailed || !isClients || !tools.every((name) => NAME.test(name))) continue
    subjects.push({ name: subject.recording.name, model: `m${at}`, recorded, tools })
  }
  await recordings.close()
  return subjects
}

export function functionOf(name: string) {
  const parameters = { type: 'object', properties: {} }
  return { type: 'function' as const, function: { name, description: name, parameters } }
}

export function shownCall(name: string, given: string): string {
  return `${name} ${JSON.stringify(JSON.parse(given))}`
}

function saidBy({ text, reasoning, calls, usage }: Recorded): Told {
  return {
    text,
    reasoning,
    calls: calls.map(({ name, input }) => shownCall(name, JSON.stringify(input))),
    usage: [usage.input ?? 0, usage.output ?? 0],
  }
}
