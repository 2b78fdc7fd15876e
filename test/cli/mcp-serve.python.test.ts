import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { processesWith, waitForEnd } from '../helpers/processes.ts'
import { pythonWithMcp } from '../helpers/python-mcp.ts'
import { ROOT } from '../helpers/source-files.ts'
import { SERVED } from '../server/clients/scripts.ts'
import { COMMAND } from './command.ts'

const run = promisify(execFile)
const PROGRAM = join(import.meta.dirname, 'mcp_client.py')
const IT_IS = 'It is {"expression":"6 * 7","result":"42","exact":true}.'

describe("Python's mcp as a client of braidwork mcp serve", function () {
  this.timeout(360_000)
  let python: string
  let folder: string
  before(async function () {
    python = await pythonWithMcp(this)
    folder = await mkdtemp(join(tmpdir(), 'braidwork-'))
    const { plugins: _, ...config } = SERVED
    const plugins = ['providers/scripted', 'tools/calculator'].map((path) => join(ROOT, path))
    await writeFile(join(folder, 'config.json'), JSON.stringify({ ...config, plugins }))
  })
  after(() => rm(folder, { recursive: true, force: true }))

  for (const [mode, protocol] of [
    ['legacy', '2025-11-25'],
    ['auto', '2026-07-28'],
  ] as const) {
    it(`asks agents, with progress and a permission, cancels, and ends the server (${protocol})`, async () => {
      const config = join(folder, 'config.json')
      const command = [process.execPath, COMMAND, 'mcp', 'serve', '--config', config]
      const env = {
        ...process.env,
        XDG_CONFIG_HOME: join(folder, 'own'),
        XDG_DATA_HOME: join(folder, 'data'),
      }
      const { stdout } = await run(python, [PROGRAM, mode, ...command], { cwd: folder, env })
      const { progress, wrong, ...found } = JSON.parse(stdout) as {
        readonly progress: number
        readonly wrong: readonly [boolean, string]
      }
      expect(found).to.deep.equal({
        protocol,
        tools: ['quick', 'slow', 'careful'],
        first: IT_IS,
        asked: IT_IS,
        forms: ['May the tool "calculate" be run with {"expression":"6 * 7"}?'],
        answersAfterCancel: true,
      })
      expect(progress).to.be.above(0)
      expect(wrong[0]).to.equal(true)
      expect(wrong[1]).to.include('message')
      expect(await waitForEnd(processesWith(config))).to.deep.equal([])
    })
  }
})
