/** Root hooks of mocha: name the test file that leaves something behind, and write down the time of each file. */
import { appendFileSync } from 'node:fs'
import { relative } from 'node:path'
import { LeakWatch } from './leaks.ts'

const watch = new LeakWatch()
let start = performance.now()

/** The first file of a suite's tests. */
function fileOf(suite: Mocha.Suite): string | undefined {
  return suite.file ?? suite.suites.map(fileOf).find((file) => file !== undefined)
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
    const { TEST_TIMES } = process.env
    if (TEST_TIMES) {
      const seconds = (performance.now() - start) / 1000
      appendFileSync(TEST_TIMES, `${JSON.stringify({ file, seconds })}\n`)
    }
    if (leaks.length > 0) throw new Error(`${file} left behind:\n${leaks.join('\n')}`)
  },
}
