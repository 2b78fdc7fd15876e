import type { Format } from './bodies.ts'
import { inTurns, median, type Row } from './measure.ts'
import { SideProcess } from './side-process.ts'

/** What is compared: streams of a format, the same with more sides of Braidwork's, whole answers, or agents. */
export type Kind = 'stream' | 'stream of many sides' | 'send' | AgentKind

export type AgentKind = 'agent of one answer' | 'agent of one call' | 'agent that asks another'

/** How long a side runs before it is measured, and then how often, in how many turns. */
export interface Schedule {
  /** The number of runs of a warm-up, more if these take less time than `warmUpTime`. */
  readonly warmUp: number
  /** Milliseconds that a warm-up takes at least. 0 if not given. */
  readonly warmUpTime?: number
  readonly repeats: number
  readonly turns: number
  /**
   * Milliseconds that a side runs again before each of its turns, unmeasured. While a process waits for the others, V8
   * throws away code that it had compiled: a process that works would not lose it. 0 if not given.
   */
  readonly warmUpAgain?: number
  /**
   * The processes of each side, one after another. V8 optimises the same code differently from process to process, which
   * a median over one process does not show. 1 if not given.
   */
  readonly processes?: number
}

/** Which requests, to which server, in which format. */
export interface Asked {
  readonly kind: Kind
  readonly url: string
  readonly format?: Format
}

/** What a side's process tells about so many runs: its CPU on all threads, and the time on the clock. Microseconds. */
export interface Sample {
  readonly cpu: number
  readonly time: number
}

const PROGRAM = new URL('./sides/in-process.ts', import.meta.url)

/** Measures requests, each side in processes of its own. @returns the medians of the processes' medians */
export async function apart(
  asked: Asked,
  measured: keyof Sample,
  { processes = 1, ...schedule }: Schedule,
): Promise<readonly Omit<Row, 'group'>[]> {
  const passes: ReadonlyMap<string, number>[] = []
  for (let pass = 0; pass < processes; pass++) {
    passes.push(await measuredOnce(asked, measured, schedule))
  }
  const sides = [...(passes[0]?.keys() ?? [])]
  return sides.map((what) => {
    const value = median(passes.map((values) => values.get(what) ?? Number.NaN))
    return { what, value: value / schedule.repeats, unit: 'µs' }
  })
}

/** Measures requests, each side in one process of its own. */
async function measuredOnce(
  { kind, url, format = 'chat' }: Asked,
  measured: keyof Sample,
  { repeats, turns, warmUpAgain = 0, ...before }: Omit<Schedule, 'processes'>,
): Promise<ReadonlyMap<string, number>> {
  const started: SideProcess[] = []
  for (let at = 0; ; at++) {
    const side = await SideProcess.start(PROGRAM, [kind, url, format, String(at)])
    if (!side) break
    started.push(side)
    await warmUpOf(side, before)
  }
  const sides = started.map((side) => ({
    what: side.what,
    run: async () => {
      await runFor(side, warmUpAgain)
      return (await side.ask<Sample>(repeats))[measured]
    },
  }))
  const values = await inTurns(sides, (run) => run() as Promise<number>, turns)
  for (const side of started) side.close()
  return values
}

async function warmUpOf(
  side: SideProcess,
  { warmUp, warmUpTime = 0 }: Pick<Schedule, 'warmUp' | 'warmUpTime'>,
): Promise<void> {
  const began = performance.now()
  await side.ask<Sample>(warmUp)
  await runFor(side, warmUpTime - (performance.now() - began))
}

async function runFor(side: SideProcess, milliseconds: number): Promise<void> {
  const until = performance.now() + milliseconds
  while (performance.now() < until) await side.ask<Sample>(1)
}
