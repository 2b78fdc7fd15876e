import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/** What was measured, of what, and its median; `unit` says in what. */
export interface Row {
  readonly group: string
  readonly what: string
  readonly value: number
  readonly unit: 'ms' | 'µs' | 'kB' | 'µs per chunk'
}

export function median(samples: readonly number[]): number {
  return percentile(samples, 0.5)
}

export function percentile(samples: readonly number[], share: number): number {
  const sorted = [...samples].sort((left, right) => left - right)
  const at = Math.min(sorted.length - 1, Math.floor(sorted.length * share))
  return sorted[at] ?? Number.NaN
}

export const ROUNDS = 9

export interface Side {
  readonly what: string
  readonly run: Run
}

/** An answer to its end, or to a beginning of it, which `shown` is told of. */
export type Run = (shown?: () => void) => Promise<unknown>

/** Runs sides in turns, so that what disturbs the machine disturbs all; each one's median. */
export async function inTurns(
  sides: readonly Side[],
  measure: (run: Run) => Promise<number>,
  rounds = ROUNDS,
): Promise<ReadonlyMap<string, number>> {
  const samples = new Map(sides.map(({ what }) => [what, [] as number[]]))
  for (let round = 0; round <= rounds; round++) {
    for (const { what, run } of sides) {
      const sample = await measure(run)
      // The first round is the warm-up.
      if (round > 0) samples.get(what)?.push(sample)
    }
  }
  return new Map([...samples].map(([what, all]) => [what, median(all)]))
}

/**
 * Microseconds of this process's CPU, on all of its threads. No collection is forced before: it would throw away
 * the code that was compiled for objects of the last answer, which no program does between two answers.
 */
export async function cpuOf(run: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage()
  await run()
  const { user, system } = process.cpuUsage(before)
  return user + system
}

/** Milliseconds on the clock. */
export async function timeOf(run: () => Promise<unknown>): Promise<number> {
  const before = performance.now()
  await run()
  return performance.now() - before
}

/** Milliseconds on the clock until the beginning of an answer was shown. How long it takes to leave the rest is no part of it. */
export async function timeUntilShown(run: Run): Promise<number> {
  const before = performance.now()
  let shownAt = Number.NaN
  await run(() => {
    shownAt = performance.now()
  })
  return shownAt - before
}

/** The same side, so many times in a row. */
export function repeated({ what, run }: Side, times: number): Side {
  return {
    what,
    run: async () => {
      for (let repeat = 0; repeat < times; repeat++) await run()
    },
  }
}

/** The server in a process of its own; its address, until it is closed. */
export async function startServer(variables: { readonly [name: string]: string } = {}) {
  const path = fileURLToPath(new URL('./server.ts', import.meta.url))
  const child = fork(path, [], {
    env: { ...process.env, ...variables },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  const [port] = (await once(child.stdout as NodeJS.ReadableStream, 'data')) as [Buffer]
  return {
    url: `http://127.0.0.1:${String(port).trim()}`,
    close: () => child.kill(),
  }
}
