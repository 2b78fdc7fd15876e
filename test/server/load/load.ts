import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ClientsAnswer, ClientsQuestion } from './clients.ts'
import { LoadProcess } from './processes.ts'
import type { ServerQuestion, ServerUse } from './server.ts'
import type { UpstreamQuestion } from './upstream.ts'

/** Many streams at once, each at the pace at which models write. */
export interface Load {
  readonly what: string
  readonly streams: number
  /** Streams whose clients do not read until all others are through. */
  readonly paused: number
  readonly words: number
  readonly rounds: number
  readonly store: 'memory' | 'sqlite'
  /** Where the text comes from: the scripted provider, or a model API over HTTP. */
  readonly source: 'script' | 'http'
}

export interface LoadRound extends ClientsAnswer {
  /** Bytes that the server holds afterwards. */
  readonly heap: number
  /** CPU of the server, microseconds. */
  readonly serverCpu: number
  /** Runs that the server still counts as active. */
  readonly activeRuns: number
}

/** Milliseconds between two words: 20 a second. */
const PAUSE = 50
/** Milliseconds for each stream that begins. */
const RAMP = 3

/** Runs a load, round after round, on one server. */
export async function runLoad(
  load: Load,
  execArgv: readonly string[] = [],
): Promise<readonly LoadRound[]> {
  const folder = await mkdtemp(join(tmpdir(), 'braidwork-load-'))
  const server = await LoadProcess.start('./server.ts', execArgv)
  const clients = await LoadProcess.start('./clients.ts')
  const upstream = load.source === 'http' ? await LoadProcess.start('./upstream.ts') : undefined
  try {
    const { words, streams: count, paused } = load
    const pace: UpstreamQuestion = { words, pause: PAUSE }
    const api = await upstream?.ask<{ readonly url: string }>(pace)
    const begin: ServerQuestion['begin'] = {
      ...pace,
      store: load.store === 'memory' ? 'memory' : join(folder, 'load.db'),
      ...(api ? { upstream: api.url } : {}),
    }
    const { url } = await server.ask<{ readonly url: string }>({ begin })
    // What is loaded and compiled once is no stream's delay.
    await clients.ask({ url, count: 20, paused: 0, words, ramp: 0 } satisfies ClientsQuestion)
    const rounds: LoadRound[] = []
    for (let round = 0; round < load.rounds; round++) {
      const before = await server.ask<ServerUse>({})
      const question: ClientsQuestion = { url, count, paused, words, ramp: RAMP * count }
      const read = await clients.ask<ClientsAnswer>(question)
      const { heap, cpu, activeRuns } = await server.ask<ServerUse>({})
      rounds.push({ ...read, heap, serverCpu: cpu - before.cpu, activeRuns })
    }
    return rounds
  } finally {
    for (const one of [server, clients, upstream]) await one?.end()
    await rm(folder, { recursive: true })
  }
}
