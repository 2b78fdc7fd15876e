import { expect } from 'chai'
import { ROOT } from '../helpers/source-files.ts'
import { hasTerminal, Terminal } from '../helpers/terminal.ts'
import { braidwork } from './command.ts'

const QUESTION = 'What is 12 * 34?'
const ASKING = [
  'chat',
  '--set',
  'settings.scripted.delay_ms=0',
  '--set',
  'tool_policy.calculate=ask',
]
const OWN = { XDG_CONFIG_HOME: '/dev/null/none' }

describe('braidwork chat, where a tool asks first', () => {
  it('runs nothing where there is nobody to ask, and says so', async () => {
    const { status, out, err } = await braidwork([...ASKING, QUESTION], { cwd: ROOT })
    expect(status).to.equal(0)
    expect(err)
      .to.include(
        "Calls to calculate need a person's approval, but there is no terminal to ask in.",
      )
      .and.to.include('The call was not approved. Nobody answered.')
    expect(out).to.not.include('408')
  })

  describe('in a terminal', () => {
    before(function () {
      if (hasTerminal()) return
      process.stderr.write('"in a terminal" is skipped: python3 has no pseudo-terminals here\n')
      this.skip()
    })

    for (const [typed, said] of [
      ['y', '12 * 34 = 408'],
      ['', 'The call was not approved.'],
    ] as const) {
      it(`does what a person says: ${typed || 'nothing'}`, async () => {
        const terminal = new Terminal([...ASKING, QUESTION], { cwd: ROOT, env: OWN })
        await terminal.sees('Run calculate({"expression":"12 * 34"})? [y/N]')
        terminal.type(`${typed}\r`)
        await terminal.sees(said)
        expect((await terminal.ends()).status).to.equal(0)
      })
    }

    it('asks within a conversation, which goes on', async () => {
      const terminal = new Terminal(ASKING, { cwd: ROOT, env: OWN })
      await terminal.sees('> ')
      terminal.type(`${QUESTION}\r`)
      await terminal.sees('[y/N]')
      terminal.type('yes\r')
      await terminal.sees('12 * 34 = 408')
      await terminal.sees('> ')
      terminal.type('\u0004')
      expect((await terminal.ends()).status).to.equal(0)
    })

    it('stops an answer that asks by Ctrl-C, and the conversation goes on', async () => {
      const terminal = new Terminal(ASKING, { cwd: ROOT, env: OWN })
      await terminal.sees('> ')
      terminal.type(`${QUESTION}\r`)
      await terminal.sees('[y/N]')
      terminal.type('\u0003')
      await terminal.sees('stopped')
      await terminal.sees('> ')
      terminal.type('\u0004')
      await terminal.ends()
      expect(terminal.shown).to.not.include('408')
    })
  })
})
