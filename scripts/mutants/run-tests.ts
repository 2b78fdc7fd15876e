import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { runNode } from './process.ts'
import type { Sandbox } from './sandbox.ts'

/** What the tests of some files came to. */
export interface Outcome {
  readonly ending: 'passed' | 'failed' | 'crashed' | 'hung'
  /** The failed tests. Their files are relative to the root. */
  readonly failures: readonly Failure[]
  readonly ms: number
  readonly output: string
}

export interface Failure {
  readonly file: string
  readonly title: string
}

export interface Run {
  readonly files: readonly string[]
  readonly limitMs: number
  /** Whether to stop at the first failed test. */
  readonly bail: boolean
}

const MOCHA = [
  '--import=tsx',
  'node_modules/mocha/bin/mocha.js',
  '--no-config',
  '--exit',
  '--retries=1',
]

interface Report {
  readonly failures: readonly { readonly file: string; readonly fullTitle: string }[]
}

/** Runs test files in a process of their own, as the state of the sandbox says. A failed test is tried once more. */
export async function runTests(sandbox: Sandbox, { files, limitMs, bail }: Run): Promise<Outcome> {
  const report = join(sandbox.folder, 'report.json')
  rmSync(report, { force: true })
  const start = performance.now()
  const args = [
    ...MOCHA,
    `--timeout=${timeoutIn(sandbox.tree)}`,
    ...(bail ? ['--bail'] : []),
    `--require=${join(sandbox.folder, 'skip.mjs')}`,
    `--require=${join(sandbox.folder, 'page-reach.mjs')}`,
    '--reporter=json',
    `--reporter-option=output=${report}`,
    ...files,
  ]
  const env = {
    ...process.env,
    HOME: join(sandbox.folder, 'home'),
    TMPDIR: join(sandbox.folder, 'tmp'),
    // They try other cases for each commit, and a sandbox has none: it would always leave out the same.
    ...(files.some((file) => file.endsWith('.install.test.ts')) ? { ALL_CASES: '1' } : {}),
  }
  const { output, hung } = await runNode({ cwd: sandbox.tree, args, env, limitMs })
  const ms = Math.round(performance.now() - start)
  if (!existsSync(report)) return { ending: hung ? 'hung' : 'crashed', failures: [], ms, output }
  const failures = failuresIn(readFileSync(report, 'utf8'), sandbox.tree)
  return { ending: failures.length > 0 ? 'failed' : 'passed', failures, ms, output }
}

function failuresIn(report: string, tree: string): Failure[] {
  const { failures } = JSON.parse(report) as Report
  return failures.map(({ file, fullTitle }) => ({
    file: file.startsWith(tree) ? file.slice(tree.length + 1) : file,
    title: fullTitle,
  }))
}

/** The time limit of a test in the repository's own runs. */
function timeoutIn(tree: string): number {
  const path = join(tree, '.mocharc.json')
  if (!existsSync(path)) return 20_000
  return (JSON.parse(readFileSync(path, 'utf8')) as { timeout?: number }).timeout ?? 20_000
}
