import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join, resolve } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { LONGEST } from './longest.ts'
import {
  type Counts,
  type FileOutcome,
  type FilesOutcome,
  measuredAgain,
} from './measured-again.ts'
import { filesOf, type Tier } from './tiers.ts'

const ROOT = resolve(import.meta.dirname, '..', '..')
const FILES = join(ROOT, '.cache', 'test-files.jsonl')

const CORES = availableParallelism()

/** The result of a tier. */
export interface Outcome extends Counts {
  readonly tier: Tier
  readonly seconds: number
  readonly files: readonly FileOutcome[]
}

/** Runs a tier with further options of mocha, and shows what mocha prints. */
export async function runTier(tier: Tier, options: readonly string[]): Promise<Outcome> {
  const start = performance.now()
  const timeout = tier.timeout === undefined ? [] : ['--timeout', String(tier.timeout)]
  // Tests also wait, so two more than there are cores run at once.
  const jobs = String(tier.isBusy ? CORES : CORES + 2)
  const args = ['--parallel', '--jobs', jobs, ...timeout, ...options]
  const first = await runFiles(tier, [...args, ...longestFirst(filesOf(tier))])
  const alone = (file: string) => runFiles(tier, [...options, file])
  const counts = tier.isMeasured ? await measuredAgain(first, alone) : first
  const seconds = (performance.now() - start) / 1000
  return { ...counts, tier, seconds, files: first.files }
}

/** Runs mocha with the environment of a tier. */
async function runFiles(tier: Tier, args: readonly string[]): Promise<FilesOutcome> {
  mkdirSync(join(ROOT, '.cache'), { recursive: true })
  rmSync(FILES, { force: true })
  const { status, output } = await runMocha(args, { ...tier.env, TEST_FILES: FILES })
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
