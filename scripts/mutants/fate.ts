import { basename, extname } from 'node:path'
import type { Ledger } from './ledger.ts'
import { keyOf, type Mutant, roomOf } from './mutant.ts'
import type { Reach } from './reach.ts'
import { type Failure, type Outcome, runTests } from './run-tests.ts'
import { numberOf, type Sandbox, setState } from './sandbox.ts'

/** What a test file did while a mutant was on. */
export interface Fact {
  readonly mutant: string
  readonly file: string
  readonly digest: string
  readonly ending: Outcome['ending']
  /** The test that failed. */
  readonly title?: string
}

export interface Bench {
  readonly sandbox: Sandbox
  readonly facts: Ledger<Fact>
  /** No process starts after this time. */
  readonly deadline: number
  /** How much longer a run with a mutant may take, apart from `FACTOR`. */
  readonly graceMs: number
}

/** The length of a run of several test files. Starting a process for each file would take longer than most tests do. */
const BATCH_MS = 8000
const LONGEST_BATCH = 12
/** A run with a mutant may take so many times as long as one without. */
const FACTOR = 4
/**
 * The length of the tests outside a mutant's room that it is tried with. Some tables are read by hundreds of test files
 * when they start. A mutant that none of the tried tests notices counts as survived, so no score is too high.
 */
const LONGEST_ELSEWHERE_MS = 60_000

/** The test files that reach a mutant: those of its room first, then those of its package, and the quickest first. */
export function reaching(mutant: Mutant, reaches: readonly Reach[]): Reach[] {
  const key = keyOf(mutant)
  const rank = (reach: Reach) => distanceOf(mutant, reach) * 1e9 + reach.ms
  return reaches
    .filter(({ reached, fault }) => fault === undefined && reached.includes(key))
    .sort((left, right) => rank(left) - rank(right))
}

/** 0 for a test file of a mutant's room, 1 for one of its package, 2 for all others. */
function distanceOf(mutant: Mutant, reach: { readonly file: string }): number {
  if (isNear(mutant, reach)) return 0
  const [group, name] = mutant.file.replace(/^src\//, '').split('/')
  return reach.file.startsWith(`test/${group}/`) || reach.file.includes(`/${name}/`) ? 1 : 2
}

/** The test files that a mutant is tried with, of those that reach it. */
export function triedFor(mutant: Mutant, tests: readonly Reach[]): Reach[] {
  let elsewhereMs = 0
  return tests.filter((reach) => {
    if (isNear(mutant, reach)) return true
    const isTried = elsewhereMs < LONGEST_ELSEWHERE_MS
    elsewhereMs += reach.ms
    return isTried
  })
}

/** Whether a test file is in the folder that mirrors a mutant's room, or has the name of the mutant's file. */
export function isNear(mutant: Mutant, { file }: { readonly file: string }): boolean {
  if (basename(file).startsWith(`${basename(mutant.file, extname(mutant.file))}.`)) return true
  const room = roomOf(mutant.file).replace(/^src\//, '')
  // The page's rooms are one folder deeper than others, and tests in a browser are of all of them.
  if (room === 'page/site') return file.startsWith('test/page/')
  const folder = `test/${room}`
  return file.startsWith(folder) && file.slice(folder.length).split('/').length <= 2
}

/** The first fact that shows that tests notice a mutant; `undefined` if there is none so far. */
export function killerOf(mutant: Mutant, tests: readonly Reach[], facts: readonly Fact[]) {
  return factsOf(mutant, tests, facts).find(({ ending }) => ending !== 'passed')
}

/** The test files that a mutant still has to be tried with. */
export function leftFor(mutant: Mutant, tests: readonly Reach[], facts: readonly Fact[]): Reach[] {
  const done = new Set(factsOf(mutant, tests, facts).map(({ file }) => file))
  return triedFor(mutant, tests).filter(({ file }) => !done.has(file))
}

/** The facts about a mutant that are not void, because the test files are the same. */
function factsOf(mutant: Mutant, tests: readonly Reach[], facts: readonly Fact[]): Fact[] {
  const key = keyOf(mutant)
  const digests = new Map(tests.map(({ file, digest }) => [file, digest]))
  return facts.filter((fact) => fact.mutant === key && digests.get(fact.file) === fact.digest)
}

/** Runs the tests that reach a mutant until one notices it. */
export async function test(bench: Bench, mutant: Mutant, tests: readonly Reach[]): Promise<void> {
  if (killerOf(mutant, tests, bench.facts.facts)) return
  for (const batch of batchesOf(leftFor(mutant, tests, bench.facts.facts))) {
    if (Date.now() > bench.deadline || (await isNoticed(bench, mutant, batch))) return
  }
}

function batchesOf(tests: readonly Reach[]): Reach[][] {
  const batches: Reach[][] = []
  let ms = 0
  for (const reach of tests) {
    const last = batches.at(-1)
    ms += reach.ms
    if (last && ms <= BATCH_MS && last.length < LONGEST_BATCH) last.push(reach)
    else {
      batches.push([reach])
      ms = reach.ms
    }
  }
  return batches
}

/** Whether one of some test files notices a mutant. It must do so alone, since files of one process may disturb each other. */
async function isNoticed(bench: Bench, mutant: Mutant, tests: readonly Reach[]): Promise<boolean> {
  const { ending, failure } = await runWith(bench, mutant, tests)
  if (ending !== 'passed' && tests.length > 1) {
    for (const suspect of suspectsFirst(tests, failure?.file)) {
      if (await isNoticed(bench, mutant, [suspect])) return true
    }
    return false
  }
  for (const { file, digest } of tests) {
    const fact = { mutant: keyOf(mutant), file, digest, ending }
    bench.facts.add(failure === undefined ? fact : { ...fact, title: failure.title })
  }
  return ending !== 'passed'
}

/** Runs test files while a mutant is on. Failures that there are without it do not count. */
async function runWith(
  { sandbox, graceMs }: Bench,
  mutant: Mutant,
  tests: readonly Reach[],
): Promise<{ readonly ending: Outcome['ending']; readonly failure: Failure | undefined }> {
  const skipped = tests.flatMap((reach) => reach.skipped)
  setState(sandbox, { active: numberOf(sandbox, mutant), skipped })
  const limitMs = graceMs + FACTOR * tests.reduce((sum, { ms }) => sum + ms, 0)
  const files = tests.map(({ file }) => file)
  const { ending, failures } = await runTests(sandbox, {
    files,
    limitMs,
    bail: !skipped.some(isHook),
  })
  const failure = failures.find(({ title }) => !skipped.includes(title))
  return { ending: ending === 'failed' && !failure ? 'passed' : ending, failure }
}

/** A hook that fails without any mutant fails again, and must not end the run. */
function isHook(title: string): boolean {
  return / "(before|after) (all|each)" hook/.test(` ${title}`)
}

function suspectsFirst(tests: readonly Reach[], file: string | undefined): Reach[] {
  return [...tests].sort((left, right) => Number(right.file === file) - Number(left.file === file))
}
