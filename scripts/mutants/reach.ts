import type { Ledger } from './ledger.ts'
import { runTests } from './run-tests.ts'
import { reachedIn, type Sandbox, setState } from './sandbox.ts'

/** What a test file does while no mutant is on. */
export interface Reach {
  readonly file: string
  readonly digest: string
  readonly ms: number
  /** The keys of the mutants that it reaches. */
  readonly reached: readonly string[]
  /** The titles of the tests that fail. They are not run with mutants. */
  readonly skipped: readonly string[]
  /** Why the file cannot be used. */
  readonly fault?: string
}

export interface TestFile {
  readonly file: string
  readonly digest: string
}

const LONGEST_FILE_MS = 600_000

/** The result of an earlier run of a test file, if the file has not changed since. */
export function knownReach({ file, digest }: TestFile, { facts }: Ledger<Reach>) {
  return facts.find((fact) => fact.file === file && fact.digest === digest)
}

/** Runs a test file without a mutant. */
export async function reachOf(
  sandbox: Sandbox,
  { file, digest }: TestFile,
  ledger: Ledger<Reach>,
): Promise<Reach> {
  setState(sandbox, { skipped: [] })
  const run = { files: [file], limitMs: LONGEST_FILE_MS, bail: false }
  const { ending, failures, ms, output } = await runTests(sandbox, run)
  const skipped = failures.map(({ title }) => title)
  const fault = ending === 'hung' || ending === 'crashed' ? output.slice(-1000) : hookIn(skipped)
  const reach: Reach = { file, digest, ms, reached: reachedIn(sandbox), skipped }
  ledger.add(fault === undefined ? reach : { ...reach, fault: `${ending}: ${fault}` })
  return fault === undefined ? reach : { ...reach, fault: `${ending}: ${fault}` }
}

/** A failed hook of mocha fails tests that no title tells of. */
function hookIn(titles: readonly string[]): string | undefined {
  return titles.find((title) => / "(before|after)( all| each)" hook/.test(` ${title}`))
}
