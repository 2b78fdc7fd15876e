/** Loaded in an attacked server before anything of it: says what it uses, and steps its clock. */
import { monitorEventLoopDelay } from 'node:perf_hooks'

export interface InsideQuestion {
  /** Milliseconds by which the wall clock is stepped. */
  readonly step?: number
}

/** Bytes, after a collection. */
export interface MemoryUse {
  /** The longest that the event loop stood still since this was asked before, milliseconds. */
  readonly stretch: number
  readonly rss: number
  /** On the heap of JavaScript, and in buffers beside it. */
  readonly held: number
}

/** Collections after which nothing more is found. */
const COLLECTIONS = 4
const delays = monitorEventLoopDelay({ resolution: 5 })
delays.enable()
const RealDate = Date
let offset = 0

const now = () => RealDate.now() + offset

/** What JavaScript sees when somebody sets the clock of the machine. */
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
// Nothing that keeps the server alive, and nothing that outlives whoever started it.
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
  // What collecting took is nobody else's.
  await new Promise((resolve) => setTimeout(resolve, 20))
  delays.reset()
  return { stretch, rss, held: heapUsed + external }
}
