import { percentile, type Row, startServer } from './measure.ts'
import { loadPeers } from './sides/load-peers.ts'
import { barePaced, ownPaced, type PacedSide } from './sides/paced.ts'

const COUNTS = [100, 1000]
const SECONDS = 5
/** Chunks a second of each stream. */
const PACE = 20

/** Milliseconds that two processes of one machine agree on. */
const now = (): number => performance.timeOrigin + performance.now()

/**
 * Many streams at once, each paced as a model writes: how late a chunk comes after it was sent, and what
 * chunks cost in CPU and streams in memory. The server is another process.
 */
export async function paced(): Promise<readonly Row[]> {
  const server = await startServer({ CHUNKS: String(SECONDS * PACE), PACE: String(PACE) })
  const { pacedSides } = await loadPeers()
  const sides = [barePaced(server.url), await ownPaced(server.url, 3), ...pacedSides(server.url)]
  const rows: Row[] = []
  for (const count of COUNTS) {
    for (const side of sides) {
      // What is loaded and compiled once is nobody's delay.
      await readAll(side, 10)
      rows.push(...(await timesOf(side, count)), await memoryOf(side, count))
    }
  }
  server.close()
  return rows
}

async function timesOf(side: PacedSide, count: number): Promise<readonly Row[]> {
  const cpu = process.cpuUsage()
  const { arrivals, begun } = await readAll(side, count)
  const { user, system } = process.cpuUsage(cpu)
  const { what } = side
  const of = (measured: string) => ({ group: `${count} paced streams, ${measured}`, what })
  const delays = arrivals.map(({ delay }) => delay)
  // Before that, what is measured is how long it takes to send so many requests in one moment. None are left of
  // a side that takes longer over it than the first answers last.
  const steady = arrivals.filter(({ sent }) => sent > begun).map(({ delay }) => delay)
  const late = { ...of('delay once all have begun, p99'), value: percentile(steady, 0.99) }
  return [
    { ...of('delay, p50'), value: percentile(delays, 0.5), unit: 'ms' },
    { ...of('delay, p99'), value: percentile(delays, 0.99), unit: 'ms' },
    ...(steady.length > 0 ? [{ ...late, unit: 'ms' as const }] : []),
    { ...of('CPU'), value: (user + system) / delays.length, unit: 'µs per chunk' },
  ]
}

interface Reading {
  /** Each chunk: when it was sent, and how late it came. */
  readonly arrivals: readonly { readonly sent: number; readonly delay: number }[]
  /** When the last stream had its first chunk. */
  readonly begun: number
}

/** Streams read to their end, all at once. */
async function readAll({ read }: PacedSide, count: number): Promise<Reading> {
  const arrivals: Reading['arrivals'][number][] = []
  let begun = 0
  const readOne = () => {
    let isFirst = true
    return read((text) => {
      const sent = Number(text)
      arrivals.push({ sent, delay: now() - sent })
      if (isFirst) begun = now()
      isFirst = false
    })
  }
  await Promise.all(Array.from({ length: count }, readOne))
  return { arrivals, begun }
}

/** What a stream in the middle of its answer holds; collected first, which would hold the clock up above. */
async function memoryOf({ what, read }: PacedSide, count: number): Promise<Row> {
  const before = heldBytes()
  const streams = Array.from({ length: count }, () => read(() => undefined))
  await new Promise((done) => setTimeout(done, (SECONDS * 1000) / 2))
  const value = (heldBytes() - before) / count / 1024
  await Promise.all(streams)
  return { group: `${count} paced streams, memory of one`, what, value, unit: 'kB' }
}

function heldBytes(): number {
  globalThis.gc?.()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}
