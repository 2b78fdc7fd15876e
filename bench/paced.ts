import { type Row, startServer } from './measure.ts'
import { SideProcess } from './side-process.ts'
import type { Asked, Times } from './sides/paced-process.ts'

const PROGRAM = new URL('./sides/paced-process.ts', import.meta.url)
const COUNTS = [100, 1000]
const SECONDS = 5
/** Chunks a second of each stream. */
const PACE = 20
/** The chunks that a side reads before it is measured, until V8 has compiled and optimised its code. */
const WARM_UP = 200_000

/**
 * Many streams at once, each paced as a model writes: how late a chunk comes after it was sent, and what
 * chunks cost in CPU and streams in memory. The server and each side are processes of their own.
 */
export async function paced(): Promise<readonly Row[]> {
  const server = await startServer({ CHUNKS: String(SECONDS * PACE), PACE: String(PACE) })
  const rows: Row[] = []
  for (const count of COUNTS) {
    for (let at = 0; ; at++) {
      const own = await rowsOf(() => SideProcess.start(PROGRAM, [server.url, String(at)]), count)
      if (!own) break
      rows.push(...own)
    }
  }
  server.close()
  return rows
}

/** Measures a side with so many streams. Undefined if there is no such side. */
async function rowsOf(
  start: () => Promise<SideProcess | undefined>,
  count: number,
): Promise<readonly Row[] | undefined> {
  const fresh = await start()
  const warm = await start()
  if (!fresh || !warm) return undefined
  // Connections that a process has kept open would not count again.
  const bytes = await fresh.ask<number>({ count, measured: 'memory' } satisfies Asked)
  fresh.close()
  await warmUp(warm)
  const times = await warm.ask<Times>({ count, measured: 'times' } satisfies Asked)
  warm.close()
  const { what } = warm
  const row = (measured: string, value: number | undefined, unit: Row['unit']): readonly Row[] =>
    value === undefined ? [] : [{ group: `${count} paced streams, ${measured}`, what, value, unit }]
  return [
    ...row('delay, p50', times.p50, 'ms'),
    ...row('delay, p99', times.p99, 'ms'),
    ...row('delay once all have begun, p99', times.steadyP99, 'ms'),
    ...row('CPU', times.cpu, 'µs per chunk'),
    ...row('memory of one', bytes / 1024, 'kB'),
  ]
}

async function warmUp(side: SideProcess): Promise<void> {
  const count = Math.max(...COUNTS)
  const rounds = WARM_UP / (count * SECONDS * PACE)
  for (let round = 0; round < rounds; round++) {
    await side.ask<Times>({ count, measured: 'times' } satisfies Asked)
  }
}
