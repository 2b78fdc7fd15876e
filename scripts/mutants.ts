/**
 * Mutation tests: breaks each rule on purpose and checks that its tests fail: npm run mutants [-- RULES, or --sample N]
 * With `--random N [--seed S]` it breaks N lines of all rooms and plugins at random (scripts/mutants/).
 * Each mutant of test/mutants.json is applied in a copy of the repository. It must type-check, a test whose title
 * begins with the id of its rule must fail, and the tests of enough other rules must still pass.
 */
import { execFileSync, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { runRandomCommand } from './mutants/command.ts'
import { copyRepository } from './mutants/copy.ts'
import { testFilesOfRules } from './rule-tests.ts'

interface Mutant {
  readonly rule: string
  readonly file: string
  readonly find: string
  readonly replace: string
}

const ROOT = resolve(import.meta.dirname, '..')
/** The minimum number of other rules whose tests must still pass: a mutant should break one rule, not everything. */
const FEWEST_OTHERS = 30
/** The time limit of a step until the time that the tests need without any mutant is known. */
const FIRST_LIMIT_MS = 600_000
/** How much longer than without a mutant the tests may take. */
const SLOWER = 4
/** The shortest limit that is set after the tests without any mutant. */
const SHORTEST_LIMIT_MS = 120_000
const LEFT_OUT = new Set(['node_modules', 'dist', '.git', '.cache', 'peers'])

/** For each rule, whether all its tests passed. */
type Rules = ReadonlyMap<string, boolean>

/** Reads the mutants of some rules, or of all. */
function readMutants(rules: readonly string[]): Mutant[] {
  const all = JSON.parse(readFileSync(join(ROOT, 'test', 'mutants.json'), 'utf8')) as Mutant[]
  const unknown = rules.filter((id) => !all.some(({ rule }) => rule === id))
  if (unknown.length > 0) throw new Error(`no mutant of ${unknown.join(', ')} in test/mutants.json`)
  return rules.length === 0 ? all : all.filter(({ rule }) => rules.includes(rule))
}

/** Makes a copy of the repository for mutants. */
async function makeCopy(): Promise<Copy> {
  const copy = await mkdtemp(join(tmpdir(), 'braidwork-mutants-'))
  copyRepository(ROOT, copy, LEFT_OUT)
  return { path: copy, limitMs: FIRST_LIMIT_MS }
}

interface Ended {
  readonly status: number | null
  readonly signal: NodeJS.Signals | null
  readonly output: string
}

/** A copy of the repository for mutants, and the time limit of a step in it. */
interface Copy {
  readonly path: string
  limitMs: number
}

function run({ path, limitMs }: Copy, file: string, args: readonly string[]): Promise<Ended> {
  return new Promise((done, fail) => {
    const child = spawn(process.execPath, [file, ...args], { cwd: path, timeout: limitMs })
    let output = ''
    const gather = (text: Buffer) => {
      output += text.toString()
    }
    child.stdout.on('data', gather)
    child.stderr.on('data', gather)
    child.on('error', fail)
    child.on('close', (status, signal) => done({ status, signal, output }))
  })
}

/** The steps of the build. Its first one checks the types. */
const BUILD: readonly (readonly string[])[] = [
  [join('node_modules', 'typescript', 'bin', 'tsc'), '-b', 'tsconfig.build.json'],
  ['--import=tsx', join('scripts', 'build.ts')],
]

/** Builds all packages, since they import each other's builds. Returns the output of a step that failed. */
async function buildFault(copy: Copy): Promise<string | undefined> {
  for (const [file = '', ...args] of BUILD) {
    const { status, output } = await run(copy, file, args)
    if (status !== 0) return output
  }
  return undefined
}

/**
 * Sets the time limit of the copy by the time that its tests take without any mutant, so that a busy machine does not
 * end them.
 * @throws if a test of a rule fails without any mutant, since then it would seem to kill every mutant of its rule
 */
async function assertSound(copy: Copy, specs: readonly string[]): Promise<void> {
  const fault = await buildFault(copy)
  if (fault !== undefined) throw new Error(`The repository cannot be built:\n${fault}`)
  const start = performance.now()
  const broken = [...(await testRules(copy, specs))].filter(([, passed]) => !passed)
  copy.limitMs = Math.max(SHORTEST_LIMIT_MS, Math.ceil(SLOWER * (performance.now() - start)))
  if (broken.length === 0) return
  const rules = broken.map(([rule]) => rule).join(', ')
  throw new Error(`Tests of these rules fail without any mutant: ${rules}.`)
}

interface Report {
  readonly tests: readonly { readonly fullTitle: string; readonly title: string }[]
  readonly failures: readonly { readonly title: string; readonly fullTitle: string }[]
}

/** Why tests left no report. */
function howEnded({ status, signal }: Ended, { limitMs }: Copy): string {
  if (signal === null) return `its tests ended with exit code ${status} and no report`
  return `its tests did not finish within ${Math.round(limitMs / 1000)} seconds (${signal})`
}

/** Runs the tests of all rules. @throws if they do not finish */
async function testRules(copy: Copy, specs: readonly string[]): Promise<Rules> {
  const report = join(copy.path, 'report.json')
  rmSync(report, { force: true })
  const mocha = ['--no-config', '--timeout', '10000', '--grep', '[A-Z]{2}-\\d\\d ']
  const reporter = ['--reporter', 'json', '--reporter-option', `output=${report}`]
  const args = [join('node_modules', 'mocha', 'bin', 'mocha.js'), ...mocha, ...reporter, ...specs]
  const ended = await run(copy, '--import=tsx', args)
  if (!existsSync(report))
    throw new Error(`${howEnded(ended, copy)}:\n${ended.output.slice(-2000)}`)
  const { tests, failures } = JSON.parse(readFileSync(report, 'utf8')) as Report
  const failed = new Set(failures.map(({ fullTitle }) => fullTitle))
  const rules = new Map<string, boolean>()
  for (const { title, fullTitle } of tests) {
    const [rule = ''] = title.split(' ')
    rules.set(rule, rules.get(rule) !== false && !failed.has(fullTitle))
  }
  return rules
}

/** The reason why a mutant was not killed; `undefined` if it was. */
async function fate(
  { rule, file, find, replace }: Mutant,
  copy: Copy,
  specs: readonly string[],
): Promise<string | undefined> {
  const path = join(copy.path, file)
  const source = readFileSync(path, 'utf8')
  const found = source.split(find).length - 1
  if (found !== 1) return `"find" occurs ${found} times in ${file}; it must occur exactly once`
  writeFileSync(
    path,
    source.replace(find, () => replace),
  )
  try {
    const fault = await buildFault(copy)
    if (fault !== undefined) return `it does not type-check:\n${fault}`
    const rules = await testRules(copy, specs)
    if (rules.get(rule) !== false) return `no test of ${rule} failed`
    const others = [...rules].filter(([id, passed]) => id !== rule && passed).length
    const fewest = `the tests of only ${others} other rules still pass; at least ${FEWEST_OTHERS} must`
    return others < FEWEST_OTHERS ? fewest : undefined
  } catch (error) {
    return String(error)
  } finally {
    writeFileSync(path, source)
  }
}

/** Takes mutants from the list and tests them in a copy of the repository, until the list is empty. */
async function work(left: Mutant[], specs: readonly string[]): Promise<number> {
  const copy = await makeCopy()
  let killed = 0
  try {
    await assertSound(copy, specs)
    for (let mutant = left.shift(); mutant; mutant = left.shift()) {
      const reason = await fate(mutant, copy, specs)
      if (reason === undefined) killed++
      console.log(`${reason === undefined ? 'killed' : 'ALIVE '}  ${mutant.rule}  ${mutant.file}`)
      if (reason !== undefined) console.log(`        ${reason}\n        ${mutant.replace}`)
    }
  } finally {
    rmSync(copy.path, { recursive: true, force: true })
  }
  return killed
}

/** A sample of the mutants. It depends only on the commit, so a repeated test gives the same sample. */
function sampleOf(mutants: readonly Mutant[], count: number): Mutant[] {
  const commit = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: ROOT, encoding: 'utf8' }).trim()
  const rank = ({ rule, file, find }: Mutant) =>
    createHash('sha256').update([commit, rule, file, find].join('\n')).digest('hex')
  const ranked = mutants.map((mutant) => [rank(mutant), mutant] as const)
  ranked.sort(([left], [right]) => (left < right ? -1 : 1))
  console.log(`${count} of ${mutants.length} mutants, those of commit ${commit.slice(0, 8)}`)
  return ranked.slice(0, count).map(([, mutant]) => mutant)
}

async function testRulesOf(args: readonly string[]): Promise<void> {
  const [option, count, ...rest] = args
  const mutants =
    option === '--sample' ? sampleOf(readMutants(rest), Number(count)) : readMutants(args)
  const specs = testFilesOfRules()
  const workers = Math.min(availableParallelism(), 4, mutants.length)
  const left = [...mutants]
  const killed = await Promise.all(Array.from({ length: workers }, () => work(left, specs)))
  const total = killed.reduce((sum, count) => sum + count, 0)
  if (total < mutants.length) process.exitCode = 1
  console.log(`${total} of ${mutants.length} killed`)
}

const args = process.argv.slice(2)
await (args.includes('--random') ? runRandomCommand(ROOT, args) : testRulesOf(args))
