import { commitHere, commitSample } from '../../scripts/commit-sample.ts'

/** Whether a test tries all combinations of its cases: the tier "cases" does, the default one takes few of them. */
export const HAS_ALL_CASES = process.env['ALL_CASES'] === '1'

/** How many times as many inputs properties get. */
const PROPERTY_FACTOR = Number(process.env['PROPERTY_FACTOR'] ?? 1)

/** What programs that take samples too are told, in their environment. */
export const CASES_ENV: { readonly [name: string]: string } = HAS_ALL_CASES
  ? { ALL_CASES: '1' }
  : {}

/** A sample of cases that begins elsewhere with each `start`, so that many samples leave out no case; in the tier "cases" all. */
export function sampled<Case>(cases: readonly Case[], share: number, start = 0): readonly Case[] {
  return cases.filter((_, at) => HAS_ALL_CASES || (at + start) % share === 0)
}

/**
 * So many of the cases, others for each commit, in the order of all; with ALL_CASES=1 all.
 * @param of tells samples of the same cases apart
 */
export function ofCommit<Case>(cases: readonly Case[], count: number, of = ''): readonly Case[] {
  if (HAS_ALL_CASES) return cases
  const keyOf = (one: Case) => of + JSON.stringify(one)
  const taken = commitSample(cases, { count, commit: commitOrNone(), keyOf })
  return cases.filter((one) => taken.includes(one))
}

/** Like `sampled`, but another sample for each commit. */
export function sampledByCommit<Case>(cases: readonly Case[], share: number): readonly Case[] {
  return sampled(cases, share, turnOfCommit(share))
}

/**
 * The cases of one of several variants of their subject: together the variants take each case once, each of them others
 * for each commit; with ALL_CASES=1 each takes all.
 */
export function shareOfCommit<Case>(
  cases: readonly Case[],
  variants: number,
  variant: number,
): readonly Case[] {
  return sampled(cases, variants, turnOfCommit(variants) + variant)
}

/** A number from 0 that is another for most commits. */
export function turnOfCommit(numbers: number): number {
  return (Number.parseInt(commitOrNone().slice(0, 8), 16) || 0) % numbers
}

/** A copy of the sources has no commit: it takes the same cases each time. */
function commitOrNone(): string {
  try {
    return commitHere()
  } catch {
    return ''
  }
}

/**
 * How many generated inputs a property is tried with: a fifth of those of the tier "cases", or one in `share` where each
 * takes long.
 */
export function runsOf(all: number, share = 5): number {
  return HAS_ALL_CASES ? all : Math.ceil(all / share)
}

/**
 * How many inputs of a property are tried: as many as {@link runsOf} says, and in the tier "properties" so many times
 * as many as its environment says.
 */
export function propertyRuns(all: number, share = 5): number {
  return runsOf(all, share) * PROPERTY_FACTOR
}

/** The milliseconds for a test of a property that sets its own limit: longer where it gets more inputs. */
export function propertyTimeout(milliseconds: number): number {
  return milliseconds * PROPERTY_FACTOR
}

/** A test that is defined like one of mocha. */
type Test = (title: string, run: Mocha.AsyncFunc) => void

/**
 * An `it` for tests that several variants of their subject share: of those that it is called for it defines one of
 * `share`, in the tier "cases" all. With another `start` for each variant, each test is defined for some.
 */
export function sampledIt(share: number, start: number): Test {
  let at = start
  return (title, run) => {
    if (HAS_ALL_CASES || at++ % share === 0) it(title, run)
  }
}
