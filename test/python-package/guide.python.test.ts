import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { createHost } from '../../src/core/index.ts'
import type { Python } from '../../src/python/venvs/find-python.ts'
import { pythonOf } from '../helpers/python.ts'
import { ROOT } from '../helpers/source-files.ts'

const run = promisify(execFile)

describe('docs/python.md', function () {
  this.timeout(30_000)
  let folder: string
  let guide: string
  let python: Python

  before(async function () {
    python = await pythonOf(this)
    folder = await mkdtemp(join(tmpdir(), 'guide-'))
    guide = await readFile(join(ROOT, 'docs', 'python.md'), 'utf8')
    const blocks = guide.matchAll(/^```\w+ (\S+)\n(.*?)^```$/gms)
    const address = pathToFileURL(join(ROOT, 'src', 'cli', 'index.ts')).href
    for (const [, name = '', code = ''] of blocks)
      await writeFile(join(folder, name), code.replace("from 'braidwork'", `from '${address}'`))
  })
  after(() => (folder ? rm(folder, { recursive: true }) : undefined))

  it('has a first plugin and a program that print what it says', async () => {
    const [, output] = /^```text\n(.*?)^```$/ms.exec(guide) ?? []
    const tsx = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href
    const args = ['--import', tsx, 'hello.mjs']
    const env = { ...process.env, NODE_OPTIONS: '' }
    expect((await run(process.execPath, args, { cwd: folder, env })).stdout).to.equal(output)
  })

  it('has a test that passes', async () => {
    const env = { PYTHONPATH: join(ROOT, 'python'), PYTHONDONTWRITEBYTECODE: '1' }
    await run(python.executable, ['test_shout.py'], { cwd: folder, env })
  })

  it('has a package that is a plugin', async () => {
    const host = await createHost({ plugins: ['scripted', folder] })
    const { enabled, diagnostics } = await host.resolve({})
    await host.close()
    expect(enabled.extensions).to.deep.equal(['shout'])
    expect(diagnostics).to.deep.equal([])
  })
})
