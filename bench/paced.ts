import { percentile, type Row, startServer } from './measure.ts'
import { configFor, hostWith } from './sides/own.ts'

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
  const rows: Row[] = []
  for (const count of COUNTS) rows.push(...(await pacedStreams(server.url, count)))
  server.close()
  return rows
}

async function pacedStreams(url: string, count: number): Promise<readonly Row[]> {
  const host = await hostWith(3)
  const config = configFor(url, 'chat')
  const delays: number[] = []

  async function read(): Promise<void> {
    for await (const event of host.stream(config, 'Hello')) {
      if (event.type === 'text-delta') delays.push(now() - Number(event.delta))
      if (event.type === 'error') throw new Error(event.error.message)
    }
  }

  globalThis.gc?.()
  const memory = process.memoryUsage().rss
  const cpu = process.cpuUsage()
  const streams = Array.from({ length: count }, read)
  await new Promise((done) => setTimeout(done, (SECONDS * 1000) / 2))
  const grown = process.memoryUsage().rss - memory
  await Promise.all(streams)
  const { user, system } = process.cpuUsage(cpu)
  await host.close()
  const group = `${count} paced streams`
  return [
    { group, what: 'p50 of the delay', value: percentile(delays, 0.5), unit: 'ms' },
    { group, what: 'p99 of the delay', value: percentile(delays, 0.99), unit: 'ms' },
    { group, what: 'CPU', value: (user + system) / delays.length, unit: 'µs a chunk' },
    { group, what: 'memory of a stream', value: grown / count / 1024, unit: 'kB' },
  ]
}
