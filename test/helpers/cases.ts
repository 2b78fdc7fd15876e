import { commitHere } from '../../scripts/commit-sample.ts'

/** Whether a test tries all combinations of its cases: the tier "cases" does, the default one takes few of them. */
export const HAS_ALL_CASES = process.env['ALL_CASES'] === '1'

/** What programs that take samples too are told, in their environment. */
export const CASES_ENV: { readonly [name: string]: string } = HAS_ALL_CASES
  ? { ALL_CASES: '1' }
  : {}

/** A sample of cases that begins elsewhere with each `start`, so that many samples leave out no case; in the tier "cases" all. */
export function sampled<Case>(cases: readonly Case[], share: number, start = 0): readonly Case[] {
  return cases.filter((_, at) => HAS_ALL_CASES || (at + start) % share === 0)
}

/** Like `sampled`, but another sample for each commit: of cases that each take seconds, and so are few. */
export function sampledByCommit<Case>(cases: readonly Case[], share: number): readonly Case[] {
  return HAS_ALL_CASES ? cases : sampled(cases, share, commitStart())
}

/** A number that depends on the commit only; the same one where there is no repository, as in a copy of the files. */
export function commitStart(): number {
  try {
    return Number.parseInt(commitHere().slice(0, 8), 16)
  } catch {
    return 0
  }
}

/**
 * How many generated inputs a property is tried with: a fifth of those of the tier "cases", or one in `share` where each
 * takes long.
 */
export function runsOf(all: number, share = 5): number {
  return HAS_ALL_CASES ? all : Math.ceil(all / share)
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
