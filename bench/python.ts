import { readdirSync, readFileSync } from 'node:fs'
import { inTurns, median, percentile, type Row } from './measure.ts'
import {
  atOnce,
  bareSide,
  bareStart,
  bridgeSide,
  chainSide,
  coldCall,
  type PythonSide,
  plainSide,
} from './sides/python.ts'

/** Short turns, and many: what disturbs the machine for a moment disturbs all sides alike. */
const CHUNKS = 250
const TURNS = 25
/** Each time with processes of its own: one that lies badly in memory, or on its core, does so until it ends. */
const TIMES = 4
const WARM_UP = 4
/** As many as an API sends in one message when it is fast. */
const TOGETHER = 20
const REQUESTS = 50
/** Of each of many requests. */
const FEW_CHUNKS = 40
const STARTS = 11

/** What a crossing to Python costs beside a bare loop, a cold start, and many requests at once. */
export async function python(): Promise<readonly Row[]> {
  return [
    ...(await crossings()),
    ...(await crossings(TOGETHER)),
    ...(await starts()),
    ...(await atOnceTimes()),
  ]
}

async function crossings(together = 1): Promise<readonly Row[]> {
  const samples = new Map<string, Sample[]>()
  for (let time = 0; time < TIMES; time++) await sampleAll(samples, together)
  const how = together === 1 ? 'chunk by chunk' : `${together} chunks a message`
  return [
    ...rowsOf(samples, `Python, ${how}`, ({ time }) => time),
    ...rowsOf(samples, `Python, ${how}, CPU of both processes`, ({ cpu }) => cpu),
  ]
}

/** The sides whose chunks arrive so many together. */
async function sidesOf(together: number): Promise<readonly PythonSide[]> {
  const loop = await bareSide(together)
  const chain = [await chainSide('Python', 1, together), await chainSide('Python', 3, together)]
  const typed = await chainSide('TypeScript', 1, together)
  if (together > 1) return [loop, ...chain, typed]
  return [loop, await bridgeSide(), ...chain, await plainSide(), typed]
}

async function sampleAll(samples: Map<string, Sample[]>, together: number): Promise<void> {
  const sides = await sidesOf(together)
  for (let turn = -WARM_UP; turn < TURNS; turn++) {
    // There and back, so that none always comes after the same one.
    for (const side of turn % 2 === 0 ? sides : sides.toReversed()) {
      const sample = await sampleOf(side, CHUNKS * together)
      if (turn >= 0) samples.set(side.what, [...(samples.get(side.what) ?? []), sample])
    }
  }
  for (const side of sides) await side.close()
}

/** Microseconds a chunk: on the clock, and of this process and those beside it. */
interface Sample {
  readonly time: number
  readonly cpu: number
}

function rowsOf(
  samples: ReadonlyMap<string, readonly Sample[]>,
  group: string,
  of: (sample: Sample) => number,
): readonly Row[] {
  return [...samples].map(([what, all]) => ({
    group,
    what,
    value: median(all.map(of)),
    unit: 'µs per chunk',
  }))
}

async function sampleOf(side: PythonSide, chunks: number): Promise<Sample> {
  const own = process.cpuUsage()
  const others = cpuOf(side)
  const start = performance.now()
  await side.run(chunks)
  const time = (performance.now() - start) * 1000
  const { user, system } = process.cpuUsage(own)
  return { time: time / chunks, cpu: (user + system + cpuOf(side) - others) / chunks }
}

/** Microseconds of CPU of the processes beside this one; Linux tells them finely enough. */
function cpuOf({ pids }: PythonSide): number {
  const tasks = pids().flatMap((pid) => readdirSync(`/proc/${pid}/task`).map((task) => [pid, task]))
  const spent = tasks.map(([pid, task]) => {
    const [nanoseconds] = readFileSync(`/proc/${pid}/task/${task}/schedstat`, 'utf8').split(' ')
    return Number(nanoseconds) / 1000
  })
  return spent.reduce((sum, one) => sum + one, 0)
}

async function starts(): Promise<readonly Row[]> {
  const times = await inTurns([await bareStart(), coldCall()], startTime, STARTS)
  return [...times].map(([what, value]) => ({ group: 'Python, cold', what, value, unit: 'ms' }))
}

/** The milliseconds of a start; what it began is ended when they are taken. */
async function startTime(run: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  const close = (await run()) as (() => Promise<unknown>) | undefined
  const time = performance.now() - start
  await close?.()
  return time
}

async function atOnceTimes(): Promise<readonly Row[]> {
  const times = await atOnce(REQUESTS, FEW_CHUNKS)
  const group = `Python, ${REQUESTS} requests at once`
  return [
    { group, what: 'the median request', value: median(times), unit: 'ms' },
    { group, what: 'the slowest request', value: percentile(times, 1), unit: 'ms' },
  ]
}
