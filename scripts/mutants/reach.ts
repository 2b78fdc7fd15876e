import { digestOfTest, testFilesOf } from './digests.ts'
import { type Ledger, openLedger } from './ledger.ts'
import { runTests } from './run-tests.ts'
import { reachedIn, type Sandbox, setState } from './sandbox.ts'

/** What a test file does while no mutant is on. */
export interface Reach {
  readonly file: string
  readonly digest: string
  readonly ms: number
  /** The keys of the mutants that it reaches. */
  readonly reached: readonly string[]
  /** The titles of the tests and hooks that fail. These tests are not run with mutants, and these hooks do not count. */
  readonly skipped: readonly string[]
  /** Why the file cannot be used. */
  readonly fault?: string
}

interface TestFile {
  readonly file: string
  readonly digest: string
}

const LONGEST_FILE_MS = 600_000

/** What is known about all test files. */
export interface Reaches {
  readonly files: readonly TestFile[]
  /** The results for the test files as they are now. */
  known(): readonly Reach[]
  /** Runs a test file without a mutant, once; a list of nothing if there is no time left. */
  measure(sandbox: Sandbox, file: TestFile): Promise<readonly Reach[]>
}

/** Opens the results of earlier runs. */
export function openReaches(root: string, path: string, deadline: number): Reaches {
  const ledger = openLedger<Reach>(path)
  const files = testFilesOf(root).map((file) => ({ file, digest: digestOfTest(root, file) }))
  const digests = new Map(files.map(({ file, digest }) => [file, digest]))
  const current = ledger.facts.filter(({ file, digest }) => digests.get(file) === digest)
  const known = new Map(current.map((reach) => [reach.file, reach]))
  const running = new Map<string, Promise<Reach>>()
  return {
    files,
    known: () => [...known.values()],
    async measure(sandbox, test) {
      const { file } = test
      const earlier = known.get(file) ?? running.get(file)
      if (earlier === undefined && Date.now() > deadline) return []
      const reach = earlier ?? reachOf(sandbox, test, ledger)
      if (earlier === undefined) running.set(file, Promise.resolve(reach))
      known.set(file, await reach)
      return [await reach]
    },
  }
}

/** Runs a test file without a mutant. */
async function reachOf(
  sandbox: Sandbox,
  { file, digest }: TestFile,
  ledger: Ledger<Reach>,
): Promise<Reach> {
  setState(sandbox, { skipped: [] })
  const run = { files: [file], limitMs: LONGEST_FILE_MS, bail: false }
  const { ending, failures, ms, output } = await runTests(sandbox, run)
  const skipped = failures.map(({ title }) => title)
  const fault = ending === 'hung' || ending === 'crashed' ? output.slice(-1000) : undefined
  const reach: Reach = { file, digest, ms, reached: reachedIn(sandbox), skipped }
  ledger.add(fault === undefined ? reach : { ...reach, fault: `${ending}: ${fault}` })
  return fault === undefined ? reach : { ...reach, fault: `${ending}: ${fault}` }
}
