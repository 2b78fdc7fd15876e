import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { follow } from '../helpers/guide.ts'
import { pythonOf } from '../helpers/python.ts'
import { ROOT } from '../helpers/source-files.ts'

/** The guides to plugins, and how many commands each has at least. */
const GUIDES = [
  ['docs/write-a-provider.md', 16],
  ['docs/write-an-extension.md', 6],
  ['docs/write-a-feature.md', 4],
  ['docs/write-a-tool.md', 4],
] as const

describe('the guides to plugins', function () {
  this.timeout(300_000)

  before(async function () {
    await pythonOf(this)
  })

  for (const [guide, fewest] of GUIDES) {
    it(`compile and print what they say in both languages: ${guide}`, async () => {
      const ran = await follow(await readFile(join(ROOT, guide), 'utf8'))
      for (const { command, printed, said } of ran) expect(printed, command).to.equal(said)
      expect(ran.length).to.be.at.least(fewest)
    })
  }
})
