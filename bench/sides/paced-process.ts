/** One side in this process that reads paced streams: tells its name (null if there is none), and then what it is asked. */
import { percentile } from '../measure.ts'
import { loadPeers } from './load-peers.ts'
import { barePaced, ownPaced, type PacedSide } from './paced.ts'

/** How many streams are to be read at once, and what of them is measured. */
export interface Asked {
  readonly count: number
  readonly measured: 'times' | 'memory'
}

/** What streams took that were read to their end. */
export interface Times {
  /** Milliseconds from the sending of a chunk to its text, of all chunks. */
  readonly p50: number
  readonly p99: number
  /** The same of chunks that were sent after all streams had begun. Absent if there are none. */
  readonly steadyP99?: number
  /** Microseconds of CPU a chunk, on all threads. */
  readonly cpu: number
}

interface Arrival {
  /** When the chunk was sent, and how late its text came, in milliseconds. */
  readonly sent: number
  readonly delay: number
}

interface Reading {
  readonly arrivals: readonly Arrival[]
  /** When the last stream had its first chunk. */
  readonly begun: number
}

/** So many pieces of its text have come of a stream that is measured in the middle of its answer. */
const MIDDLE = 40
/** So many streams load all that a stream needs. */
const FIRST = 10

const [url = '', at = ''] = process.argv.slice(2)
const side = await sideAt(Number(at))
process.send?.(side?.what ?? null)
if (!side) process.disconnect()
process.on('message', ({ count, measured }: Asked) => {
  if (!side) return
  const answer = measured === 'memory' ? memoryOf(side, count) : timesOf(side, count)
  void answer.then((value) => process.send?.(value))
})

/** The floor, then Braidwork, then the peers, which are loaded only by the processes that run one. */
async function sideAt(index: number): Promise<PacedSide | undefined> {
  if (index === 0) return barePaced(url)
  if (index === 1) return ownPaced(url, 3)
  return (await loadPeers()).pacedSides(url)[index - 2]
}

async function timesOf(reader: PacedSide, count: number): Promise<Times> {
  const cpu = process.cpuUsage()
  const { arrivals, begun } = await readAll(reader, count)
  const { user, system } = process.cpuUsage(cpu)
  const delays = arrivals.map(({ delay }) => delay)
  // Before that, what is measured is how long it takes to send so many requests in one moment. None are left of
  // a side that takes longer over it than the first answers last.
  const steady = arrivals.filter(({ sent }) => sent > begun).map(({ delay }) => delay)
  return {
    p50: percentile(delays, 0.5),
    p99: percentile(delays, 0.99),
    ...(steady.length > 0 ? { steadyP99: percentile(steady, 0.99) } : {}),
    cpu: (user + system) / delays.length,
  }
}

/** Streams read to their end, all at once. */
async function readAll({ read }: PacedSide, count: number): Promise<Reading> {
  const arrivals: Arrival[] = []
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

/** Milliseconds that two processes of one machine agree on. */
function now(): number {
  return performance.timeOrigin + performance.now()
}

/** Bytes that a stream in the middle of its answer holds. Garbage is collected first, which would hold up the times. */
async function memoryOf(reader: PacedSide, count: number): Promise<number> {
  await Promise.all(Array.from({ length: FIRST }, () => reader.read(() => undefined)))
  const before = heldBytes()
  const streams = Array.from({ length: count }, () => untilMiddle(reader))
  await Promise.all(streams.map(({ middle }) => middle))
  const held = (heldBytes() - before) / count
  await Promise.all(streams.map(({ end }) => end))
  return held
}

/** Reads a stream. Its middle is also over if the stream ends before. */
function untilMiddle({ read }: PacedSide) {
  let come = 0
  let isThere = () => {}
  const reached = new Promise<void>((resolve) => {
    isThere = resolve
  })
  const end = read(() => {
    if (++come === MIDDLE) isThere()
  })
  return { middle: Promise.race([reached, end]), end }
}

function heldBytes(): number {
  globalThis.gc?.()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}
