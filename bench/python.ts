import { readdirSync, readFileSync } from 'node:fs'
import { inTurns, median, percentile, type Row, timeOf } from './measure.ts'
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
const CHUNKS = 1000
const TURNS = 20
const REQUESTS = 50
/** Of each of many requests. */
const FEW_CHUNKS = 40
const STARTS = 11

/** What a crossing to Python costs beside a bare loop, a cold start, and many requests at once. */
export async function python(): Promise<readonly Row[]> {
  return [...(await crossings()), ...(await starts()), ...(await together())]
}

async function crossings(): Promise<readonly Row[]> {
  const sides = [
    await bareSide(),
    await bridgeSide(),
    await chainSide('Python', 1),
    await chainSide('Python', 3),
    await plainSide(),
    await chainSide('TypeScript', 1),
  ]
  const samples = new Map<PythonSide, Sample[]>(sides.map((side) => [side, []]))
  for (let turn = -1; turn < TURNS; turn++) {
    for (const side of sides) {
      const sample = await sampleOf(side)
      // The first turn is the warm-up.
      if (turn >= 0) samples.get(side)?.push(sample)
    }
  }
  for (const side of sides) await side.close()
  return [
    ...rowsOf(samples, 'Python, chunk by chunk', ({ time }) => time),
    ...rowsOf(samples, 'Python, CPU of both processes', ({ cpu }) => cpu),
  ]
}

/** Microseconds a chunk: on the clock, and of this process and those beside it. */
interface Sample {
  readonly time: number
  readonly cpu: number
}

function rowsOf(
  samples: ReadonlyMap<PythonSide, readonly Sample[]>,
  group: string,
  of: (sample: Sample) => number,
): readonly Row[] {
  return [...samples].map(([{ what }, all]) => ({
    group,
    what,
    value: median(all.map(of)),
    unit: 'µs a chunk',
  }))
}

async function sampleOf(side: PythonSide): Promise<Sample> {
  const own = process.cpuUsage()
  const others = cpuOf(side)
  const start = performance.now()
  await side.run(CHUNKS)
  const time = (performance.now() - start) * 1000
  const { user, system } = process.cpuUsage(own)
  return { time: time / CHUNKS, cpu: (user + system + cpuOf(side) - others) / CHUNKS }
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
  const times = await inTurns([await bareStart(), coldCall()], timeOf, STARTS)
  return [...times].map(([what, value]) => ({ group: 'Python, cold', what, value, unit: 'ms' }))
}

async function together(): Promise<readonly Row[]> {
  const times = await atOnce(REQUESTS, FEW_CHUNKS)
  const group = `Python, ${REQUESTS} requests at once`
  return [
    { group, what: 'the median request', value: median(times), unit: 'ms' },
    { group, what: 'the slowest request', value: percentile(times, 1), unit: 'ms' },
  ]
}
