/**
 * Root hooks of mocha: keep tests away from the user's own files, name the test file that leaves something behind, and
 * write down the time and the failures of each file.
 */
import { appendFileSync } from 'node:fs'
import { relative } from 'node:path'
import fc from 'fast-check'
import { propertyRuns } from '../../test/helpers/cases.ts'
import { LeakWatch } from './leaks.ts'
import { leaveUserFolder } from './user-folder.ts'

// A property that names no number of runs.
fc.configureGlobal({ numRuns: propertyRuns(100) })

leaveUserFolder()
const watch = new LeakWatch()
let start = performance.now()

/** The first file of a suite's tests. */
function fileOf(suite: Mocha.Suite): string | undefined {
  return suite.file ?? suite.suites.map(fileOf).find((file) => file !== undefined)
}

function isFailed({ state }: Mocha.Runnable): boolean {
  return state === 'failed'
}

/** Hooks of a suite, which mocha's types do not name. */
interface Hooked {
  readonly _beforeAll: readonly Mocha.Hook[]
  readonly _afterAll: readonly Mocha.Hook[]
  readonly _beforeEach: readonly Mocha.Hook[]
  readonly _afterEach: readonly Mocha.Hook[]
}

/** The titles of the tests and hooks that failed in a suite and in those below it. */
function failedIn(suite: Mocha.Suite): string[] {
  const { _beforeAll, _afterAll, _beforeEach, _afterEach } = suite as unknown as Hooked
  const hooks = [..._beforeAll, ..._afterAll, ..._beforeEach, ..._afterEach]
  const own = [...suite.tests, ...hooks].filter(isFailed).map((test) => test.fullTitle())
  return [...own, ...suite.suites.flatMap(failedIn)]
}

export const mochaHooks = {
  beforeAll(): void {
    start = performance.now()
  },

  async afterAll(this: Mocha.Context): Promise<void> {
    this.timeout(20_000)
    const root = this.test?.parent
    const file = relative(process.cwd(), (root && fileOf(root)) ?? 'no file')
    const leaks = await watch.take()
    const { TEST_FILES } = process.env
    if (TEST_FILES) {
      const seconds = (performance.now() - start) / 1000
      const failed = root === undefined ? [] : failedIn(root)
      if (leaks.length > 0) failed.push('leaves nothing behind')
      appendFileSync(TEST_FILES, `${JSON.stringify({ file, seconds, failed })}\n`)
    }
    if (leaks.length > 0) throw new Error(`${file} left behind:\n${leaks.join('\n')}`)
  },
}
