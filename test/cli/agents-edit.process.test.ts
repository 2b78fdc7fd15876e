import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { constants } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { type CommandFolder, eachCommandFolder } from '../helpers/command-folder.ts'
import { hasTerminal, Terminal } from '../helpers/terminal.ts'
import { braidwork } from './command.ts'

describe('braidwork agents edit', function () {
  this.timeout(60_000)
  let made: CommandFolder
  const open: Terminal[] = []
  before(function () {
    if (hasTerminal()) return
    process.stderr.write('"braidwork agents edit" is skipped: there is no Python with a pty\n')
    this.skip()
  })
  eachCommandFolder((folder) => {
    made = folder
  })
  beforeEach(() => writeFile(at('braidwork.json'), '{ "provider": "scripted" }'))
  afterEach(() => {
    for (const terminal of open.splice(0)) terminal.kill()
  })

  const at = (name: string): string => join(made.folder, name)

  function edit(id: string, ...args: readonly string[]): Terminal {
    const options = { cwd: made.folder, env: made.env }
    const terminal = new Terminal(['agents', 'edit', id, ...args], options)
    open.push(terminal)
    return terminal
  }

  it('writes an agent of a trusted folder, which stays trusted, and the agent runs', async () => {
    await made.run(['trust'])
    const terminal = edit('helper')
    await terminal.choose('Agent helper', 'Description')
    await terminal.answer('Description', 'Calculates.')
    await terminal.choose('Agent helper', 'Max rounds')
    await terminal.answer('Max rounds', '3')
    await terminal.choose('Agent helper', 'Save')
    await terminal.sees('Wrote')
    expect((await terminal.ends()).status).to.equal(0)
    expect(await readFile(at('agents/helper.md'), 'utf8')).to.equal(
      '---\ndescription: Calculates.\nmax_rounds: 3\n---\n',
    )
    const { out, err } = await made.run(['agents', 'check'])
    expect(err).to.equal('')
    expect(out).to.equal('1 agent, 0 errors, 0 warnings\n')
  })

  it('writes nothing that does not resolve, and says why', async () => {
    await mkdir(at('agents'))
    const text = '---\nmodel_id: none # wrong\n---\nHi.\n'
    await writeFile(at('agents/helper.md'), text)
    const terminal = edit('helper', '--config', 'braidwork.json')
    await terminal.choose('Agent helper', 'Save')
    await terminal.sees('There is no model "none"')
    await terminal.choose('Agent helper', 'Discard')
    await terminal.sees('Nothing was written.')
    expect((await terminal.ends()).status).to.equal(0)
    expect(await readFile(at('agents/helper.md'), 'utf8')).to.equal(text)
  })

  it('ends by the signal of a terminal that closes, as other commands do', async () => {
    const terminal = edit('helper', '--config', 'braidwork.json')
    await terminal.sees('Agent helper')
    terminal.close()
    expect((await terminal.ends()).status).to.equal(128 + constants.signals.SIGHUP)
  })

  it('is left by Escape in its menu', async () => {
    const terminal = edit('helper', '--config', 'braidwork.json')
    await terminal.sees('Agent helper')
    terminal.type('\u001b')
    await terminal.sees('Nothing was written.')
    expect((await terminal.ends()).status).to.equal(0)
  })

  it('refuses what it cannot edit', async () => {
    await mkdir(at('agents'))
    await writeFile(at('agents/data.json'), '{}')
    await writeFile(at('braidwork.json'), '{ "agents": { "own": {} } }')
    for (const [id, reason] of [
      ['data', 'is JSON'],
      ['own', 'is declared in the config'],
      ['../x', 'may have letters'],
    ] as const) {
      const terminal = edit(id, '--config', 'braidwork.json')
      await terminal.sees(reason)
      expect((await terminal.ends()).status).to.equal(2)
    }
    const { err, status } = await braidwork(['agents', 'edit', 'helper'], { cwd: made.folder })
    expect(err).to.include('needs a terminal')
    expect(status).to.equal(2)
  })
})
