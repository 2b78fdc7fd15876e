import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { follow } from '../helpers/guide.ts'
import { ROOT } from '../helpers/source-files.ts'

const PACKAGES = { express: 'test/peers/node_modules/express', hono: 'node_modules/hono' }

describe('the guide to embedding', function () {
  this.timeout(120_000)

  it('has programs that print what they say, in each framework', async function () {
    if (!existsSync(join(ROOT, PACKAGES.express))) return this.skip()
    const text = await readFile(join(ROOT, 'docs/embedding.md'), 'utf8')
    const ran = await follow(text, PACKAGES)
    for (const { command, printed, said } of ran) expect(printed, command).to.equal(said)
    expect(ran.length).to.be.at.least(5)
  })
})
