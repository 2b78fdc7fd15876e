/** The server under load, in a process of its own. */
import openaiCompatible from '../../../providers/openai-compatible/index.ts'
import scripted from '../../../providers/scripted/index.ts'
import type { ConfigLayer } from '../../../src/core/config/layers.ts'
import { createHost } from '../../../src/core/host/index.ts'
import type { PartialEvent } from '../../../src/plugin/events/index.ts'
import { createServer, type Listening, LOCAL, listen } from '../../../src/server/index.ts'
import { openStorage } from '../../../src/store/index.ts'
import { answerQuestions } from './processes.ts'
import { LOAD_MODEL } from './protocols.ts'
import { stamped, textOf } from './stamps.ts'

export interface ServerQuestion {
  readonly begin?: {
    readonly store: string
    readonly words: number
    readonly pause: number
    /** The address of a model API; the scripted provider tells the text without one. */
    readonly upstream?: string
  }
}

/** What the process uses. */
export interface ServerUse {
  /** Bytes, after a collection. */
  readonly heap: number
  /** Microseconds. */
  readonly cpu: number
  readonly activeRuns: number
}

/** Puts into each piece of text when it was made. */
const stamp = {
  kind: 'extension',
  name: 'stamp',
  providers: ['scripted'],
  processChunk: (
    _chunk: unknown,
    partials: readonly PartialEvent[],
    ...rest: readonly unknown[]
  ) => [
    partials.map((event) =>
      event.type === 'text-delta' ? { ...event, delta: stamped(event.delta) } : event,
    ),
    ...rest.slice(0, 3),
  ],
}

let listening: Listening | undefined
let activeRuns = () => 0

answerQuestions(async ({ begin }: ServerQuestion) => {
  if (!begin) return useOf()
  const { store, upstream } = begin
  const host = await createHost({
    plugins: [scripted, openaiCompatible, stamp],
    config: upstream === undefined ? scriptedConfig(begin) : upstreamConfig(upstream),
  })
  const storage = await openStorage(store)
  const limits = { requests_per_minute: 1_000_000, runs: 10_000 }
  const server = await createServer({
    host,
    storage,
    limits,
    anonymous: LOCAL,
    models: { [LOAD_MODEL]: {} },
  })
  activeRuns = () => server.activeRuns
  listening = await listen(server, { port: 0 })
  return { url: listening.url }
})

function scriptedConfig({ words, pause }: NonNullable<ServerQuestion['begin']>): ConfigLayer {
  const script = [{ then: { text: textOf(words) } }]
  return { provider: 'scripted', settings: { scripted: { script, delay_ms: pause } } }
}

function upstreamConfig(base_url: string): ConfigLayer {
  const settings = { base_url, models: ['paced'], max_retries: 0 }
  return {
    provider: 'openai-compatible',
    model: 'paced',
    settings: { 'openai-compatible': settings },
  }
}

async function useOf(): Promise<ServerUse> {
  for (let round = 0; round < 3; round++) {
    await new Promise((resolve) => setImmediate(resolve))
    globalThis.gc?.()
  }
  const { user, system } = process.cpuUsage()
  return { heap: process.memoryUsage().heapUsed, cpu: user + system, activeRuns: activeRuns() }
}
