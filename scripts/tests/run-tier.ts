import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join, resolve } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { commitHere, commitSample } from '../commit-sample.ts'
import { LONGEST } from './longest.ts'
import { pathToPython } from './python-path.ts'
import { type AgainOutcome, type FileOutcome, type FilesOutcome, runAgain } from './run-again.ts'
import { filesOf, type Tier } from './tiers.ts'

const ROOT = resolve(import.meta.dirname, '..', '..')
const FILES = join(ROOT, '.cache', 'test-files.jsonl')

const CORES = availableParallelism()

/** The result of a tier. */
export interface Outcome extends AgainOutcome {
  readonly tier: Tier
  readonly seconds: number
}

/** How the tests of a tier are run. */
export interface RunOptions {
  /** Further options of mocha. */
  readonly mocha: readonly string[]
  /** Of a tier that is sampled, one file in so many, another for each commit. Without it, all of them. */
  readonly sample?: number | undefined
}

/** Runs a tier, and shows what mocha prints. */
export async function runTier(
  tier: Tier,
  { mocha: options, sample }: RunOptions,
): Promise<Outcome> {
  const start = performance.now()
  const timeout = tier.timeout === undefined ? [] : ['--timeout', String(tier.timeout)]
  // Tests also wait, so two more than there are cores run at once.
  const jobs = String(CORES + (tier.isBusy ? (tier.waiting ?? 0) : 2))
  const args = ['--parallel', '--jobs', jobs, ...timeout, ...options]
  const first = await runFiles(tier, [...args, ...longestFirst(filesToRun(tier, sample))])
  const alone = (file: string) => runFiles(tier, [...options, file])
  const outcome = tier.isTimed ? await runAgain(first, alone) : { ...first, again: [] }
  return { ...outcome, tier, seconds: (performance.now() - start) / 1000 }
}

function filesToRun(tier: Tier, sample = 1): readonly string[] {
  const files = filesOf(tier)
  if (!tier.isSampled || sample === 1) return files
  const [count, commit] = [Math.ceil(files.length / sample), commitHere()]
  console.log(`${count} of ${files.length} files, those of commit ${commit.slice(0, 8)}`)
  return commitSample(files, { count, commit, keyOf: (file) => file })
}

/** Runs mocha with the environment of a tier. */
async function runFiles(tier: Tier, args: readonly string[]): Promise<FilesOutcome> {
  mkdirSync(join(ROOT, '.cache'), { recursive: true })
  rmSync(FILES, { force: true })
  const env = { ...tier.env, TEST_FILES: FILES, PATH: await pathToPython() }
  const { status, output } = await runMocha(args, env)
  const failed = counted(output, 'failing')
  return {
    passed: counted(output, 'passing'),
    failed: status === 0 ? failed : Math.max(failed, 1),
    skipped: counted(output, 'pending'),
    files: readFiles(),
  }
}

/** A long file that starts last would leave the other core without work. */
function longestFirst(files: readonly string[]): string[] {
  const first = LONGEST.filter((file) => files.includes(file))
  return [...first, ...files.filter((file) => !first.includes(file))]
}

interface Ended {
  readonly status: number | null
  readonly output: string
}

function runMocha(args: readonly string[], more: NodeJS.ProcessEnv): Promise<Ended> {
  const mocha = join(ROOT, 'node_modules', 'mocha', 'bin', 'mocha.js')
  const colors = process.stdout.isTTY ? ['--color'] : []
  const child = spawn(process.execPath, [mocha, ...colors, ...args], {
    cwd: ROOT,
    env: { ...process.env, ...more },
    stdio: ['inherit', 'pipe', 'inherit'],
  })
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text
    process.stdout.write(text)
  })
  return new Promise((done, fail) => {
    child.on('error', fail)
    child.on('close', (status) => done({ status, output }))
  })
}

/** The last number that mocha printed before a word, or 0. */
function counted(output: string, word: string): number {
  const plain = stripVTControlCharacters(output)
  return Number([...plain.matchAll(new RegExp(`^ +(\\d+) ${word}`, 'gm'))].at(-1)?.[1] ?? 0)
}

function readFiles(): FileOutcome[] {
  if (!existsSync(FILES)) return []
  const lines = readFileSync(FILES, 'utf8').trim().split('\n')
  return lines.map((line) => JSON.parse(line) as FileOutcome)
}
