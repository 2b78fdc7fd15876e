import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { follow } from '../helpers/guide.ts'
import { pythonOf } from '../helpers/python.ts'
import { ROOT } from '../helpers/source-files.ts'

/**
 * Follows a guide to plugins, which has at least so many commands. Each guide has a test file of its own, since files
 * run beside one another.
 */
export function describeGuide(guide: string, fewest: number): void {
  describe(`the guide ${guide}`, function () {
    this.timeout(300_000)

    before(async function () {
      await pythonOf(this)
    })

    it('compiles, and prints what it says in both languages', async () => {
      const ran = await follow(await readFile(join(ROOT, guide), 'utf8'))
      for (const { command, printed, said } of ran) expect(printed, command).to.equal(said)
      expect(ran.length).to.be.at.least(fewest)
    })
  })
}
