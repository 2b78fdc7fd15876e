import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import type { Kind } from '../../src/plugin/kinds.ts'
import type { Python } from '../../src/python/venvs/find-python.ts'
import { ROOT } from '../helpers/source-files.ts'

/** A plugin for the suite in Python. */
export interface AskedSuite {
  readonly kind: Kind
  readonly path: string
  /** The fields of `Options` in Python. */
  readonly options?: object
}

/** The result of a suite in Python. */
export interface SuiteResult {
  /** The names of the checks that fail, in order. */
  readonly failed: readonly string[]
  /** Why checks could not be made, by their names. */
  readonly skipped: { readonly [name: string]: string }
  /** Seconds of processor time. */
  readonly seconds: number
}

/** The reason for which checks of schemas are skipped in an interpreter without the package. */
export const NO_JSONSCHEMA = 'install jsonschema, which checks schemas'

/** Runs a program in Python with the kit. @returns what it prints @throws if it fails */
export async function runWithKit(
  { executable }: Pick<Python, 'executable'>,
  args: readonly string[],
  input = '',
): Promise<string> {
  const env = { PATH: process.env['PATH'], PYTHONPATH: 'python', PYTHONDONTWRITEBYTECODE: '1' }
  const child = spawn(executable, args, { cwd: ROOT, env })
  child.stdin.end(input)
  const ended = once(child, 'close')
  const [printed, errors] = await Promise.all([text(child.stdout), text(child.stderr)])
  const [code] = (await ended) as [number | null]
  if (code !== 0) throw new Error(`The program ended with ${code}: ${errors}${printed}`)
  return printed
}

/** Runs the suite in Python on each plugin, in one interpreter and without pytest. */
export async function suitesOf(
  python: Pick<Python, 'executable'>,
  asked: readonly AskedSuite[],
): Promise<readonly SuiteResult[]> {
  const program = 'test/testing/planted/python/suite_failures.py'
  const printed = await runWithKit(python, [program], JSON.stringify(asked))
  return JSON.parse(printed) as readonly SuiteResult[]
}
