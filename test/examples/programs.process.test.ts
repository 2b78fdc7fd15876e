import { execFile } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { pythonOf } from '../helpers/python.ts'
import { ROOT } from '../helpers/source-files.ts'

const run = promisify(execFile)
const FOLDER = join(ROOT, 'examples/programs')
const PROGRAMS = readdirSync(FOLDER).filter((name) => name.endsWith('.mjs'))

describe('the small programs of the examples', function () {
  this.timeout(60_000)

  for (const name of PROGRAMS) {
    it(`print what their text says: ${name}`, async function () {
      const program = await readFile(join(FOLDER, name), 'utf8')
      if (program.includes('.py')) await pythonOf(this)
      const env = { ...process.env, NODE_OPTIONS: '' }
      const { stdout } = await run(process.execPath, [name], { cwd: FOLDER, env })
      const text = await readFile(join(FOLDER, name.replace('.mjs', '.txt')), 'utf8')
      expect(stdout).to.equal(text).and.not.equal('')
    })
  }

  it('are all in the table of their README', async () => {
    const readme = await readFile(join(FOLDER, 'README.md'), 'utf8')
    const listed = [...readme.matchAll(/^\| \[(\S+)\]/gm)].map(([, name]) => name)
    expect(listed).to.have.members(PROGRAMS)
  })
})
