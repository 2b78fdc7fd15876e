import { spawn } from 'node:child_process'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { copyRepository } from '../mutants/copy.ts'

const ROOT = resolve(import.meta.dirname, '..', '..')
const LEFT_OUT = new Set(['node_modules', '.git', '.cache', 'peers'])
/** The time limit of a step until the time that the tests need without any mutant is known. */
const FIRST_LIMIT_MS = 600_000

/** A copy of the repository for mutants, and the time limit of a step in it. */
export interface Copy {
  readonly path: string
  limitMs: number
}

/** Makes a copy of the repository with its build. @throws if its types are wrong */
export async function makeCopy(): Promise<Copy> {
  const path = await mkdtemp(join(tmpdir(), 'braidwork-mutants-'))
  const copy = { path, limitMs: FIRST_LIMIT_MS }
  copyRepository(ROOT, path, LEFT_OUT)
  const fault = await typeFault(copy)
  if (fault === undefined) return copy
  removeCopy(copy)
  throw new Error(`The types of the repository are wrong:\n${fault}`)
}

export function removeCopy({ path }: Copy): void {
  rmSync(path, { recursive: true, force: true })
}

interface Ended {
  readonly status: number | null
  readonly signal: NodeJS.Signals | null
  readonly output: string
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

/**
 * What is wrong with the types. The tests of rules run from source, so nothing is bundled: `tsc` makes the declarations
 * of each package, which the next ones need.
 */
export async function typeFault(copy: Copy): Promise<string | undefined> {
  const tsc = join('node_modules', 'typescript', 'bin', 'tsc')
  const { status, output } = await run(copy, tsc, ['-b', 'tsconfig.build.json'])
  return status === 0 ? undefined : output
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

/** For each rule, whether all its tests passed. */
export type Rules = ReadonlyMap<string, boolean>

/** Runs the tests of rules in some test files. @throws if they do not finish */
export async function testRules(copy: Copy, files: readonly string[]): Promise<Rules> {
  const report = join(copy.path, 'report.json')
  rmSync(report, { force: true })
  // A mutant may leave something open, for which mocha would wait.
  const mocha = ['--no-config', '--exit', '--timeout', '20000', '--grep', '[A-Z]{2}-\\d\\d ']
  const reporter = ['--reporter', 'json', '--reporter-option', `output=${report}`]
  const args = [join('node_modules', 'mocha', 'bin', 'mocha.js'), ...mocha, ...reporter, ...files]
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
