import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { digestOfSources, digestOfTest, testFilesOf } from './digests.ts'
import { draw } from './draw.ts'
import { readEquivalents, reasonFor } from './equivalents.ts'
import { type Fact, killerOf, leftFor, reaching, test } from './fate.ts'
import { mutantsOf } from './instrument.ts'
import { type Ledger, openLedger } from './ledger.ts'
import { type Mutant, sourcesOf } from './mutant.ts'
import { knownReach, type Reach, reachOf, type TestFile } from './reach.ts'
import type { Result } from './report.ts'
import { makePlainSandbox, makeSandbox, removeSandbox, type Sandbox } from './sandbox.ts'
import { wellTyped } from './types.ts'

export interface RandomOptions {
  readonly root: string
  readonly count: number
  readonly seed: number
  /** How many copies of the repository work at the same time. */
  readonly jobs: number
  /** No test starts after this time, in milliseconds since the epoch; a later call goes on. */
  readonly deadline: number
  /** A run of tests with a mutant that takes so much longer than one without, in milliseconds, hangs. */
  readonly graceMs: number
  readonly log: (line: string) => void
}

interface Work extends RandomOptions {
  /** The folder of everything that is known about these mutants of these sources. */
  readonly folder: string
  readonly chosen: readonly Mutant[]
}

/** Breaks lines chosen at random and runs the tests that reach them. */
export async function runRandom(options: RandomOptions): Promise<Result[]> {
  const { root, count, seed, jobs, log } = options
  const equivalents = readEquivalents(root)
  const digest = digestOfSources(root, `seed ${seed}`, `count ${count}`)
  const folder = join(root, 'node_modules', '.cache', 'braidwork-mutants', digest)
  log(`seed ${seed}, ${count} mutants; results are kept in ${folder}`)
  const work: Work = { ...options, folder, chosen: await chosenIn(folder, options) }
  const sandboxes: Sandbox[] = []
  for (let job = 0; job < jobs; job++) sandboxes.push(await makeSandbox(root, work.chosen))
  try {
    const reaches = await allReaches(work, sandboxes)
    if (!reaches) return work.chosen.map((mutant) => ({ mutant, fate: 'open', detail: '' }))
    const facts = openLedger<Fact>(join(folder, 'facts.jsonl'))
    const reasons = new Map(work.chosen.map((each) => [each, reasonFor(root, each, equivalents)]))
    const tested = work.chosen.filter((mutant) => reasons.get(mutant) === undefined)
    await inParallel(sandboxes, tested, async (sandbox, mutant) => {
      const tests = reaching(mutant, reaches)
      await test({ ...options, sandbox, facts }, mutant, tests)
      const { fate, detail } = resultOf(mutant, tests, facts)
      if (fate !== 'open')
        log(`${fate.padEnd(8)}  ${mutant.file}:${mutant.line} ${mutant.mutator}, ${detail}`)
    })
    return work.chosen.map((mutant) => {
      const reason = reasons.get(mutant)
      if (reason !== undefined) return { mutant, fate: 'equivalent', detail: reason }
      return resultOf(mutant, reaching(mutant, reaches), facts)
    })
  } finally {
    sandboxes.forEach(removeSandbox)
  }
}

/** Draws mutants that type-check, unless an earlier run has. */
async function chosenIn(folder: string, { root, count, seed, log }: RandomOptions) {
  const path = join(folder, 'chosen.json')
  if (existsSync(path)) return JSON.parse(readFileSync(path, 'utf8')) as Mutant[]
  const all = await mutantsOf(root, sourcesOf(root))
  const drawn = draw(all, seed)
  const chosen: Mutant[] = []
  const plain = await makePlainSandbox(root)
  let refused = 0
  for (let left = count; left > 0; left = count - chosen.length) {
    const more = Array.from({ length: Math.ceil(left * 1.2) }, () => drawn.next().value)
    const mutants = more.flatMap((mutant) => mutant ?? [])
    if (mutants.length === 0) break
    const valid = await wellTyped(plain.tree, mutants)
    refused += mutants.length - valid.length
    chosen.push(...valid.slice(0, left))
  }
  removeSandbox(plain)
  log(
    `${all.length} mutants are possible; ${refused} drawn ones that do not type-check were replaced`,
  )
  mkdirSync(folder, { recursive: true })
  writeFileSync(path, JSON.stringify(chosen))
  return chosen
}

/** Runs each test file once without a mutant; `undefined` if there was no time for all. */
async function allReaches(work: Work, sandboxes: readonly Sandbox[]) {
  const { root, folder, deadline, log } = work
  const ledger = openLedger<Reach>(join(folder, 'reach.jsonl'))
  const files: TestFile[] = testFilesOf(root).map((file) => {
    return { file, digest: digestOfTest(root, file) }
  })
  const reaches: Reach[] = []
  await inParallel(sandboxes, files, async (sandbox, file) => {
    const known = knownReach(file, ledger)
    if (known) reaches.push(known)
    else if (Date.now() <= deadline) reaches.push(await reachOf(sandbox, file, ledger))
  })
  if (reaches.length < files.length) {
    log(`${files.length - reaches.length} test files have not run yet without a mutant`)
    return undefined
  }
  for (const { file, skipped, fault } of reaches) {
    if (fault !== undefined) log(`left out: ${file}, ${fault}`)
    else for (const title of skipped) log(`left out: ${file}, ${title}`)
  }
  return reaches
}

/** How many test files reach a survivor. */
const DETAILS = ['no test reaches it', '1 test file reaches it']

function resultOf(mutant: Mutant, tests: readonly Reach[], { facts }: Ledger<Fact>): Result {
  const killer = killerOf(mutant, tests, facts)
  if (killer) {
    const { file, ending, title = '' } = killer
    return { mutant, fate: 'killed', detail: `${ending} ${file} ${title}` }
  }
  const left = leftFor(mutant, tests, facts)
  if (left.length > 0) return { mutant, fate: 'open', detail: `${left.length} test files left` }
  const detail = DETAILS[tests.length] ?? `${tests.length} test files reach it`
  return { mutant, fate: 'survived', detail }
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
