import { join } from 'node:path'
import { type Choice, chosenIn } from './choose.ts'
import { digestOfSources } from './digests.ts'
import { readEquivalents, reasonFor } from './equivalents.ts'
import {
  type Bench,
  type Fact,
  isNear,
  killerOf,
  leftFor,
  reaching,
  test,
  triedFor,
} from './fate.ts'
import { type Ledger, openLedger } from './ledger.ts'
import type { Mutant } from './mutant.ts'
import { openReaches, type Reach, type Reaches } from './reach.ts'
import type { Result } from './report.ts'
import { makeSandbox, removeSandbox, type Sandbox } from './sandbox.ts'

export interface RandomOptions extends Choice {
  /** How many copies of the repository work at the same time. */
  readonly jobs: number
  /** No test starts after this time, in milliseconds since the epoch; a later call goes on. */
  readonly deadline: number
  /** A run of tests with a mutant that takes so much longer than one without, in milliseconds, hangs. */
  readonly graceMs: number
}

interface Work extends RandomOptions {
  readonly reaches: Reaches
  readonly facts: Ledger<Fact>
}

/** Breaks lines chosen at random and runs the tests that reach them. */
export async function runRandom(options: RandomOptions): Promise<Result[]> {
  const { root, count, python, seed, jobs, deadline, log } = options
  const equivalents = readEquivalents(root)
  const language = python ? ['python'] : []
  const digest = digestOfSources(root, `seed ${seed}`, `count ${count}`, ...language)
  const folder = join(root, 'node_modules', '.cache', 'braidwork-mutants', digest)
  log(`seed ${seed}, ${count} mutants; results are kept in ${folder}`)
  const chosen = await chosenIn(folder, options)
  const reasons = new Map(chosen.map((mutant) => [mutant, reasonFor(root, mutant, equivalents)]))
  const reaches = openReaches(root, join(folder, 'reach.jsonl'), deadline)
  const work = { ...options, reaches, facts: openLedger<Fact>(join(folder, 'facts.jsonl')) }
  const sandboxes: Sandbox[] = []
  for (let job = 0; job < jobs; job++) sandboxes.push(await makeSandbox(root, chosen))
  try {
    const tested = chosen.filter((mutant) => reasons.get(mutant) === undefined)
    await testAll(work, sandboxes, tested)
  } finally {
    sandboxes.forEach(removeSandbox)
  }
  return chosen.map((mutant) => {
    const reason = reasons.get(mutant)
    if (reason === undefined) return resultOf(work, mutant)
    return { mutant, fate: 'equivalent', detail: reason }
  })
}

/** First runs the tests of each mutant's room, since they will notice most mutants, then all others. */
async function testAll(work: Work, sandboxes: readonly Sandbox[], mutants: readonly Mutant[]) {
  await inParallel(sandboxes, mutants, async (sandbox, mutant) => {
    const near: Reach[] = []
    for (const file of work.reaches.files.filter((each) => isNear(mutant, each))) {
      near.push(...(await work.reaches.measure(sandbox, file)))
    }
    await testWith(work, sandbox, mutant, near)
  })
  await inParallel(sandboxes, work.reaches.files, async (sandbox, file) => {
    await work.reaches.measure(sandbox, file)
  })
  const all = work.reaches.known()
  for (const { file, skipped, fault } of all) {
    if (fault !== undefined) work.log(`left out: ${file}, ${fault}`)
    else for (const title of skipped) work.log(`left out: ${file}, ${title}`)
  }
  await inParallel(sandboxes, mutants, (sandbox, mutant) => testWith(work, sandbox, mutant, all))
}

async function testWith(work: Work, sandbox: Sandbox, mutant: Mutant, reaches: readonly Reach[]) {
  const bench: Bench = { ...work, sandbox }
  if (resultOf(work, mutant).fate === 'killed') return
  await test(bench, mutant, reaching(mutant, reaches))
  const { fate, detail } = resultOf(work, mutant)
  work.log(`${fate.padEnd(8)}  ${mutant.file}:${mutant.line} ${mutant.mutator}, ${detail}`)
}

/** How many test files reach a survivor. */
const DETAILS = ['no test reaches it', '1 test file reaches it']

function resultOf({ reaches, facts }: Work, mutant: Mutant): Result {
  const tests = reaching(mutant, reaches.known())
  const killer = killerOf(mutant, tests, facts.facts)
  if (killer) {
    const { file, ending, title = '' } = killer
    return { mutant, fate: 'killed', detail: `${ending} ${file} ${title}` }
  }
  const left = leftFor(mutant, tests, facts.facts).length
  const tried = triedFor(mutant, tests).length
  const unknown = reaches.files.length - reaches.known().length
  if (left + unknown > 0) {
    const detail = `${tried - left} test files did not notice it, ${left + unknown} left`
    return { mutant, fate: 'open', detail }
  }
  const detail = DETAILS[tests.length] ?? `${tests.length} test files reach it`
  const rest = tests.length - tried
  const untried = rest === 0 ? '' : `, ${rest} of them were not run`
  return { mutant, fate: 'survived', detail: detail + untried }
}

/** Gives each worker the next item until there are no more. */
async function inParallel<Worker, Item>(
  workers: readonly Worker[],
  items: readonly Item[],
  run: (worker: Worker, item: Item) => Promise<void>,
): Promise<void> {
  const left = [...items]
  await Promise.all(
    workers.map(async (worker) => {
      for (let item = left.shift(); item !== undefined; item = left.shift()) await run(worker, item)
    }),
  )
}
