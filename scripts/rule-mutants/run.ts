import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join, resolve } from 'node:path'
import { commitHere, commitSample } from '../commit-sample.ts'
import { type Copy, makeCopy, removeCopy, testRules } from './copy.ts'
import { fate, firstFiles, type Mutant } from './fate.ts'
import { type RuleFiles, ruleFiles } from './rule-tests.ts'

const ROOT = resolve(import.meta.dirname, '..', '..')
/** How much longer than without a mutant the tests may take. */
const SLOWER = 4
/** The shortest limit that is set after the tests without any mutant. */
const SHORTEST_LIMIT_MS = 120_000

/**
 * Tests the mutants of some rules, or of all, or a sample of them. Each is applied in a copy of the repository.
 * @returns whether all were killed
 */
export async function runRuleMutants(rules: readonly string[], sample?: number): Promise<boolean> {
  const named = readMutants(rules)
  const mutants = sample === undefined ? named : sampleOf(named, sample)
  const files = ruleFiles()
  const workers = Math.min(availableParallelism(), 4, mutants.length)
  const copies: Copy[] = []
  let killed = 0
  try {
    const made = await Promise.allSettled(Array.from({ length: workers }, makeCopy))
    copies.push(...made.flatMap((one) => (one.status === 'fulfilled' ? one.value : [])))
    for (const one of made) if (one.status === 'rejected') throw one.reason
    await assertSound(copies, files, mutants)
    const left = [...mutants]
    const counts = await Promise.all(copies.map((copy) => work(left, copy, files)))
    killed = counts.reduce((sum, count) => sum + count, 0)
  } finally {
    copies.forEach(removeCopy)
  }
  console.log(`${killed} of ${mutants.length} killed`)
  return killed === mutants.length
}

/** The rules among some that have no mutant. */
export function unknownRules(rules: readonly string[]): readonly string[] {
  const known = new Set(readMutants([]).map(({ rule }) => rule))
  return rules.filter((rule) => !known.has(rule))
}

/** Reads the mutants of some rules, or of all. */
function readMutants(rules: readonly string[]): Mutant[] {
  const all = JSON.parse(readFileSync(join(ROOT, 'test', 'mutants.json'), 'utf8')) as Mutant[]
  return rules.length === 0 ? all : all.filter(({ rule }) => rules.includes(rule))
}

function sampleOf(mutants: readonly Mutant[], count: number): Mutant[] {
  const commit = commitHere()
  console.log(`${count} of ${mutants.length} mutants, those of commit ${commit.slice(0, 8)}`)
  const keyOf = ({ rule, file, find }: Mutant) => [rule, file, find].join('\n')
  return commitSample(mutants, { count, commit, keyOf })
}

/**
 * Runs the tests that decide mutants without any mutant, a part of them in each copy. Sets the time limit by the time
 * that they take, so that a busy machine does not end them.
 * @throws if one fails, since then it would seem to kill every mutant of its rule
 */
async function assertSound(
  copies: readonly Copy[],
  files: RuleFiles,
  mutants: readonly Mutant[],
): Promise<void> {
  const deciding = [...new Set(mutants.flatMap(({ rule }) => firstFiles(files, rule).files))]
  const parts = copies.map((_, at) => deciding.filter((_, index) => index % copies.length === at))
  const start = performance.now()
  const results = await Promise.all(copies.map((copy, at) => testRules(copy, parts[at] ?? [])))
  const spent = copies.length * (performance.now() - start)
  setLimits(copies, (spent * new Set([...files.values()].flat()).size) / deciding.length)
  const broken = results.flatMap((rules) => [...rules].filter(([, passed]) => !passed))
  if (broken.length === 0) return
  const named = [...new Set(broken.map(([rule]) => rule))].join(', ')
  throw new Error(`Tests of these rules fail without any mutant: ${named}.`)
}

/** All tests of rules may run for a mutant, so the limit is set by the time that all of them take. */
function setLimits(copies: readonly Copy[], allMs: number): void {
  for (const copy of copies) copy.limitMs = Math.max(SHORTEST_LIMIT_MS, Math.ceil(SLOWER * allMs))
}

/** Takes mutants from the list and tests them in a copy of the repository, until the list is empty. */
async function work(left: Mutant[], copy: Copy, files: RuleFiles): Promise<number> {
  let killed = 0
  for (let mutant = left.shift(); mutant; mutant = left.shift()) {
    const reason = await fate(mutant, copy, files)
    if (reason === undefined) killed++
    console.log(`${reason === undefined ? 'killed' : 'ALIVE '}  ${mutant.rule}  ${mutant.file}`)
    if (reason !== undefined) console.log(`        ${reason}\n        ${mutant.replace}`)
  }
  return killed
}
