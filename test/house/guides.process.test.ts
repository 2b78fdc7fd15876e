import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { ROOT } from '../helpers/source-files.ts'

const run = promisify(execFile)
const PROGRAM = /```js (?<file>\S+)\n(?<code>.*?)```\n```text\n(?<output>.*?)```/gs

describe('guides', function () {
  this.timeout(30_000)

  for (const [guide, fewest] of [
    ['docs/settings.md', 2],
    ['docs/server.md', 1],
    ['docs/testing.md', 1],
    ['docs/program.md', 1],
    ['docs/agents.md', 1],
  ] as const) {
    it(`have programs that print what they say: ${guide}`, async () => {
      const text = await readFile(join(ROOT, guide), 'utf8')
      const folder = await mkdtemp(join(tmpdir(), 'braidwork-'))
      await mkdir(join(folder, 'node_modules'))
      await symlink(join(ROOT, 'src', 'cli'), join(folder, 'node_modules', 'braidwork'))
      const env = { ...process.env, NODE_OPTIONS: '' }
      const programs = [...text.matchAll(PROGRAM)].map(({ groups = {} }) => groups)
      for (const { file = '', code = '', output } of programs) {
        await writeFile(join(folder, file), code)
        const { stdout } = await run(process.execPath, [file], { cwd: folder, env })
        expect(stdout).to.equal(output)
      }
      await rm(folder, { recursive: true })
      expect(programs.length).to.be.at.least(fewest)
    })
  }
})
