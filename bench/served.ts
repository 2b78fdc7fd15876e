import { readFileSync } from 'node:fs'
import { median, type Row, startServer } from './measure.ts'
import { litellmSide } from './sides/litellm.ts'
import { aiSdkSide, braidworkSide, hostSide, runSide, type ServedSide } from './sides/served.ts'

const CHUNKS = 20
/** The requests before the first turn, in which code is compiled, and the most milliseconds that they may take. */
const WARM_UP = { requests: 6000, time: 30_000 }
/** The most requests in a turn of a side, and its milliseconds. */
const TURN = { requests: 2000, time: 3000 }
const TURNS = 7
/** How many requests are in progress at a time. */
const PARALLEL = 8
/** How many requests each of them is, one after the other, before the clock is looked at. */
const BATCH = 10
/** Milliseconds in a tick of `/proc/<pid>/stat` (USER_HZ, which is 100 on Linux). */
const TICK = 10

/**
 * The CPU time of a server's process for a request of the Chat Completions API, whole and streamed, seen from outside,
 * beside runs of the host without a server. All sides ask the same model API on loopback.
 */
export async function served(): Promise<readonly Row[]> {
  const server = await startServer({ CHUNKS: String(CHUNKS) })
  const sides: ServedSide[] = []
  try {
    for (const start of [aiSdkSide, litellmSide, braidworkSide, runSide, hostSide]) {
      const side = await start(server.url)
      if (side) sides.push(side)
    }
    return [
      ...(await rowsOf(sides, 'a request, whole', false)),
      ...(await rowsOf(sides, `a request, streamed in ${CHUNKS} chunks`, true)),
    ]
  } finally {
    for (const side of sides) side.close()
    server.close()
  }
}

async function rowsOf(
  sides: readonly ServedSide[],
  of: string,
  isStreamed: boolean,
): Promise<readonly Row[]> {
  for (const side of sides) await askFor(side, isStreamed, WARM_UP)
  const samples = new Map(sides.map((side) => [side, [] as number[]]))
  for (let turn = 0; turn < TURNS; turn++) {
    for (const side of sides) {
      const before = cpuOf(side.pid)
      const count = await askFor(side, isStreamed, TURN)
      samples.get(side)?.push((cpuOf(side.pid) - before) / count)
    }
  }
  return [...samples].map(([{ what }, all]) => ({
    group: `${of}, CPU of its server`,
    what,
    value: median(all),
    unit: 'ms',
  }))
}

/** Sends requests until there were enough or the time is over. @returns their number */
async function askFor(
  { ask }: ServedSide,
  isStreamed: boolean,
  most: { readonly requests: number; readonly time: number },
): Promise<number> {
  const until = performance.now() + most.time
  let count = 0
  while (count < most.requests && performance.now() < until) {
    await Promise.all(Array.from({ length: PARALLEL }, () => ask(isStreamed, BATCH)))
    count += PARALLEL * BATCH
  }
  return count
}

/** Milliseconds of CPU of a process so far, in its own code and in the system's. */
function cpuOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  // The name, in parentheses, may contain spaces; utime and stime are the 14th and 15th field.
  const [user = 0, system = 0] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13)
    .map(Number)
  return (user + system) * TICK
}
