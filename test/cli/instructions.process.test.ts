import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { sharedCommand } from './shared-command.ts'

const CONFIG = {
  settings: { scripted: { delay_ms: 0 } },
  agents: { helper: { system_prompt: 'You help.' } },
}

describe('braidwork chat in a folder with an AGENTS.md', function () {
  this.timeout(30_000)
  let base: string
  let folder: string
  beforeEach(async () => {
    base = await realpath(await mkdtemp(join(tmpdir(), 'braidwork-')))
    folder = join(base, 'project', 'web')
    await mkdir(folder, { recursive: true })
    await writeFile(join(base, 'project', 'braidwork.json'), JSON.stringify(CONFIG))
    await writeFile(join(base, 'project', 'AGENTS.md'), 'Speak in verse.')
    await writeFile(join(folder, 'AGENTS.md'), 'Rhyme.'.repeat(5461))
  })
  afterEach(() => rm(base, { recursive: true }))

  const command = sharedCommand()
  const run = (...args: readonly string[]) =>
    command(args, { cwd: folder, env: { XDG_CONFIG_HOME: join(base, 'config') } })

  /** How much the model was told, in tokens. */
  async function inputOf(...args: readonly string[]): Promise<number> {
    const { out, err } = await run('chat', '--json', ...args, 'Hello')
    const [line = err] = out.split('\n').filter((one) => one.includes('"type":"finish"'))
    return (JSON.parse(line) as { usage: { input: number } }).usage.input
  }

  it('CT-17 tells which files it uses, and gives them to the model, of an agent too', async () => {
    const before = await run('chat', 'Hello')
    expect(before.err).not.to.include('instructions ')
    expect((await run('trust', '..')).status).to.equal(0)
    const { err, status } = await run('chat', 'Hello')
    expect(status).to.equal(0)
    expect(err).to.equal('instructions AGENTS.md (only its beginning), web/AGENTS.md\n')
    await writeFile(join(folder, 'AGENTS.md'), 'Rhyme.'.repeat(10_000))
    expect((await run('chat', 'Hello')).err).to.equal(
      'instructions AGENTS.md (left out: too long), web/AGENTS.md (only its beginning)\n',
    )
    const without = await inputOf('--no-instructions')
    expect(await inputOf()).to.be.above(without + 100)
    expect(await inputOf('--agent', 'helper')).to.be.above(without + 100)
  })

  it('leaves them out where it is told to', async () => {
    await run('trust', '..')
    expect((await run('chat', '--no-instructions', 'Hello')).err).to.equal('')
  })
})
