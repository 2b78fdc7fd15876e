/** Loaded into an attacked server before any other code: reports its memory use, and steps its clock. */
import { monitorEventLoopDelay } from 'node:perf_hooks'

export interface InsideQuestion {
  /** Milliseconds by which to step the wall clock. */
  readonly step?: number
}

/** Memory in bytes, after a garbage collection. */
export interface MemoryUse {
  /** The longest block of the event loop since the last report, in milliseconds. */
  readonly stretch: number
  readonly rss: number
  /** Bytes on the JavaScript heap and in buffers. */
  readonly held: number
}

/** The number of collections after which no more garbage is found. */
const COLLECTIONS = 4
const delays = monitorEventLoopDelay({ resolution: 5 })
delays.enable()
const RealDate = Date
let offset = 0

const now = () => RealDate.now() + offset

/** Simulates a change of the machine's clock, as JavaScript sees it. */
globalThis.Date = new Proxy(RealDate, {
  apply: () => new RealDate(now()).toString(),
  construct: (target, args, newTarget) =>
    Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget) as Date,
  get: (target, key, receiver) => (key === 'now' ? now : Reflect.get(target, key, receiver)),
})

process.on('message', ({ step }: InsideQuestion) => {
  offset += step ?? 0
  void memoryUse().then((use) => process.send?.(use))
})
// The channel must not keep the server alive, nor outlive the parent process.
process.channel?.unref()
process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'))

async function memoryUse(): Promise<MemoryUse> {
  const stretch = delays.max / 1e6
  for (let round = 0; round < COLLECTIONS; round++) {
    await new Promise((resolve) => setTimeout(resolve, 20))
    globalThis.gc?.()
  }
  process.stderr.write(`${JSON.stringify(process.memoryUsage())}\n`)
  const { rss, heapUsed, external } = process.memoryUsage()
  // Do not count the collection's own time as a block of the event loop.
  await new Promise((resolve) => setTimeout(resolve, 20))
  delays.reset()
  return { stretch, rss, held: heapUsed + external }
}
