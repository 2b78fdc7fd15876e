import { existsSync, readFileSync } from 'node:fs'

const OWN_THREAD = '/proc/thread-self/schedstat'

/** Milliseconds of CPU of this thread: what others do on the machine makes no stretch longer. */
export function cpu(): number {
  if (!existsSync(OWN_THREAD)) return performance.now()
  return Number(readFileSync(OWN_THREAD, 'utf8').split(' ')[0]) / 1_000_000
}

/** What servers do most: a body is parsed. */
const KNOWN_WORK = JSON.stringify(
  Array.from({ length: 40_000 }, (_, at) => ({
    name: `tool_${at}`,
    input_schema: { type: 'object', properties: {} },
  })),
)
/** Milliseconds of CPU that it takes on the processor for which limits are set. */
const KNOWN_TIME = 27

/**
 * How much longer than on the processor for which limits of time are set a known piece of work takes here and now. At
 * least 1. It is the shortest of three times: one that took long by chance must not raise a limit.
 */
export function slowness(): number {
  const times = Array.from({ length: 3 }, () => {
    const start = cpu()
    JSON.parse(KNOWN_WORK)
    return cpu() - start
  })
  return Math.max(1, Math.min(...times) / KNOWN_TIME)
}
