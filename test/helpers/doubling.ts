import { existsSync, readFileSync } from 'node:fs'
import { collect } from './garbage.ts'

/** Work whose time is to grow as its size does. */
export interface Subject {
  /** What is measured, as it stands in the title of a test. */
  readonly name: string
  /** The sizes that are measured, each the double of the one before; {@link SIZES} where none are said. */
  readonly sizes?: readonly number[]
  /** Makes the input of a size; what it takes is not measured. The work is done several times. */
  readonly make: (size: number) => Work | Promise<Work>
}

/** One round of what is measured. */
export type Work = () => unknown

/** What was measured. */
export interface Growth {
  readonly sizes: readonly number[]
  /** Milliseconds of CPU of the fastest try of each size. */
  readonly times: readonly number[]
  /** How many times as long as the size before it each took, from the second. */
  readonly ratios: readonly number[]
}

export const SIZES: readonly number[] = [10_000, 20_000, 40_000, 80_000]

/** The most that a doubling may cost: linear is 2, and caches and garbage add to it; quadratic is 4. */
export const MOST_GROWTH = 2.6

/** Below it a time says more of caches and garbage than of the work: a faster one counts as this. */
const LEAST_TIME = 20
/** Growth up to which it may be others on the machine who made a try slow: work is tried longer for a verdict. */
const DOUBTFUL_GROWTH = 3.2

/** How long work is tried. */
interface Patience {
  /** Or as many as take {@link LEAST_SPENT}. */
  readonly tries: number
  /** Milliseconds of CPU after which nothing more is tried: work that is slow by then is slow by its nature. */
  readonly time: number
}

const ORDINARY: Patience = { tries: 8, time: 20_000 }
const IN_DOUBT: Patience = { tries: 24, time: 60_000 }

/**
 * Measures the CPU that work takes by its size. All sizes are tried in turn, several times, and the fastest try
 * of each counts: others on the machine make a try slower, and none makes it faster. A smaller size is worked on
 * as often as it goes into the largest, and what comes of it is held until then: so each has the same garbage to
 * collect. It ends as soon as the growth is that of linear work, and at once where the largest takes no time to speak of.
 */
export async function growthOf({ sizes = SIZES, make }: Subject): Promise<Growth> {
  const works: Work[] = []
  for (const size of sizes) works.push(await make(size))
  // The compiler's work is nobody's.
  for (let time = 0; time < 3; time++) await works[0]?.()
  const quickest = await cpuOf(works.at(-1) ?? (() => undefined), 1)
  if (quickest <= LEAST_TIME) return { sizes: sizes.slice(-1), times: [quickest], ratios: [] }
  const times = sizes.map(() => Number.POSITIVE_INFINITY)
  let spent = 0
  for (let round = 0; goesOn(round, spent, ratiosOf(times)); round++)
    spent += await tryAll(works, sizes, times)
  const tried = times.filter(Number.isFinite)
  return { sizes: sizes.slice(0, tried.length), times: tried, ratios: ratiosOf(tried) }
}

/** Milliseconds of CPU for which fast work is tried at least, however often that is. */
const LEAST_SPENT = 5000

/** Whether growth that is not yet that of linear work is measured once more. */
function goesOn(tried: number, spent: number, ratios: readonly number[]): boolean {
  if (tried === 0) return true
  const worst = Math.max(...ratios)
  const { tries, time } = worst <= DOUBTFUL_GROWTH ? IN_DOUBT : ORDINARY
  return worst > MOST_GROWTH && (tried < tries || spent < LEAST_SPENT) && spent < time
}

/** Tries each size once and keeps the faster times; of work that is far too slow not all sizes. @returns what it took */
async function tryAll(
  works: readonly Work[],
  sizes: readonly number[],
  times: number[],
): Promise<number> {
  const largest = sizes.at(-1) ?? 1
  let spent = 0
  for (const [index, work] of works.entries()) {
    const repeats = Math.max(1, Math.round(largest / (sizes[index] ?? largest)))
    collect()
    const time = await cpuOf(work, repeats)
    spent += time * repeats
    times[index] = Math.min(times[index] ?? 0, time)
    if (index > 0 && spent > ORDINARY.time) break
  }
  return spent
}

/** What was measured, in a line. */
export function toldGrowth({ sizes, times, ratios }: Growth): string {
  const told = sizes.map((size, index) => {
    const ratio = ratios[index - 1]
    const growth = ratio === undefined ? '' : ` (×${ratio.toFixed(1)})`
    return `${size}: ${(times[index] ?? 0).toFixed(1)} ms${growth}`
  })
  return told.join(', ')
}

/** @throws {Error} where a doubling costs more than {@link MOST_GROWTH} times the CPU */
export async function expectLinear(subject: Subject): Promise<Growth> {
  const growth = await growthOf(subject)
  if (growth.ratios.every((ratio) => ratio <= MOST_GROWTH)) return growth
  throw new Error(`"${subject.name}" is not linear: ${toldGrowth(growth)}`)
}

/** Milliseconds of CPU of one piece of work, measured over several. */
async function cpuOf(work: Work, repeats: number): Promise<number> {
  const held: unknown[] = []
  const before = cpu()
  for (let time = 0; time < repeats; time++) held.push(await work())
  return (cpu() - before) / held.length
}

/** Where Linux says what this thread alone has used: those that collect garbage spin where others have the cores. */
const OWN_THREAD = '/proc/thread-self/schedstat'
const cpu = existsSync(OWN_THREAD) ? threadCpu : processCpu

/** Milliseconds of CPU that this thread has used. */
function threadCpu(): number {
  return Number(readFileSync(OWN_THREAD, 'utf8').split(' ')[0]) / 1_000_000
}

function processCpu(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

function ratiosOf(times: readonly number[]): readonly number[] {
  const counted = times.map((time) => Math.max(time, LEAST_TIME))
  return counted.slice(1).map((time, index) => time / (counted[index] ?? LEAST_TIME))
}
