import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { type CommandFolder, eachCommandFolder } from '../helpers/command-folder.ts'
import { hasTerminal, Terminal } from '../helpers/terminal.ts'
import { SLOW_TOOL } from './slow-tool.ts'

describe('braidwork chat in a terminal', function () {
  this.timeout(60_000)
  let made: CommandFolder
  let terminal: Terminal | undefined
  before(function () {
    if (hasTerminal()) return
    process.stderr.write('Steering in the terminal is skipped: there is no Python with a pty\n')
    this.skip()
  })
  eachCommandFolder((folder) => {
    made = folder
  })
  afterEach(() => terminal?.kill())

  it('CT-15 says a line that is typed during an answer to its run', async () => {
    await writeFile(join(made.folder, 'slow.mjs'), SLOW_TOOL)
    const script = [
      { when: { equals: 'go' }, then: { tool_calls: [{ name: 'wait' }] } },
      { when: { equals: 'be brief' }, then: { text: 'Briefly: done.' } },
      { then: { text: 'Something else.' } },
    ]
    const settings = { scripted: { delay_ms: 0, script } }
    const config = { provider: 'scripted', plugins: ['scripted', './slow.mjs'], settings }
    await writeFile(join(made.folder, 'braidwork.json'), JSON.stringify(config))
    await made.run(['trust'])
    const options = { cwd: made.folder, env: made.env }
    terminal = new Terminal(['chat', '--no-instructions'], options)
    await terminal.sees('> ')
    terminal.type('go\r')
    await terminal.sees('wait(')
    terminal.type('be brief\r')
    await terminal.sees('be brief')
    await writeFile(join(made.folder, 'go-on'), '')
    await terminal.sees('Briefly: done.')
    terminal.type('\u0004')
    expect((await terminal.ends()).status).to.equal(0)
    expect(terminal.shown).not.to.include('Something else.')
  })
})
