import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { type CommandFolder, eachCommandFolder } from '../helpers/command-folder.ts'
import { ROOT } from '../helpers/source-files.ts'
import { hasTerminal, Terminal } from '../helpers/terminal.ts'
import { sdkServer } from '../tools/mcp/servers.ts'
import { SLOW_TOOL } from './slow-tool.ts'

const CTRL_C = '\u0003'
const CTRL_D = '\u0004'

/** Tells that the command reads no more keys. */
const TELLS_END = `
process.stdin.once('pause', () => setImmediate(() => process.stderr.write('no more keys')))
`

const call = (name: string, input: object = {}) => ({ tool_calls: [{ name, input }] })
const SCRIPT = [
  { when: { tool: 'wait' }, then: { text: 'It has waited.' } },
  { when: { tool: 'calculate' }, then: { text: 'Asked again about calculate.' } },
  { when: { tool: 'ask_user' }, then: { text: 'Asked again about ask_user.' } },
  { when: { tool: 'fx__asks' }, then: { text: 'Asked again about fx__asks.' } },
  { when: { equals: 'wait' }, then: call('wait') },
  { when: { equals: 'approval' }, then: call('calculate', { expression: '2*3' }) },
  { when: { equals: 'question' }, then: call('ask_user', { question: 'Which color?' }) },
  { when: { equals: 'elicitation' }, then: call('fx__asks') },
  { then: { text: 'You said "{{user}}".' } },
]
const CONFIG = {
  provider: 'scripted',
  plugins: ['scripted', 'calculator', 'ask-user', join(ROOT, 'tools', 'mcp'), './slow.mjs'],
  enabled_plugins: ['ask-user'],
  tool_policy: { calculate: 'ask' },
  settings: { scripted: { delay_ms: 0, script: SCRIPT }, mcp: { servers: { fx: sdkServer() } } },
}

/** The prompts that make the model ask a person, and what the person is shown. */
const ASKING = [
  ['approval', '[y/N]', []],
  ['question', 'Which color?', []],
  ['elicitation', 'Which color?', ['--set', 'enabled_plugins=["mcp"]']],
] as const

describe('The keys of braidwork chat', function () {
  this.timeout(60_000)
  let made: CommandFolder
  let terminal: Terminal
  before(function () {
    if (hasTerminal()) return
    process.stderr.write('The keys of the terminal are skipped: there is no Python with a pty\n')
    this.skip()
  })
  eachCommandFolder((folder) => {
    made = folder
  })
  beforeEach(async () => {
    await writeFile(at('slow.mjs'), SLOW_TOOL)
    await writeFile(at('chat.json'), JSON.stringify(CONFIG))
  })
  afterEach(() => terminal?.kill())

  const at = (name: string): string => join(made.folder, name)

  function chat(...words: readonly string[]): void {
    const args = ['chat', '--no-instructions', '--config', 'chat.json', ...words]
    terminal = new Terminal(args, { cwd: made.folder, env: made.env })
  }

  /** Begins a conversation whose first answer is not complete before the file "go-on" is there. */
  async function chatThatWaits(): Promise<void> {
    chat()
    await terminal.sees('> ')
    terminal.type('wait\r')
    await terminal.sees('wait(')
  }

  const goOn = (): Promise<void> => writeFile(at('go-on'), '')

  describe('Ctrl-D', () => {
    it('ends the conversation during an answer, as soon as the answer is complete', async () => {
      await chatThatWaits()
      terminal.type(CTRL_D)
      await goOn()
      await terminal.sees('It has waited.')
      expect((await terminal.ends()).status).to.equal(0)
    })

    it('ends the conversation after what was typed before it', async () => {
      await chatThatWaits()
      terminal.type(`next\r${CTRL_D}`)
      await terminal.sees('next')
      await goOn()
      await terminal.sees('You said "next".')
      expect((await terminal.ends()).status).to.equal(0)
    })

    for (const [prompt, shown, options] of ASKING) {
      it(`leaves an answer at a question, and the conversation: ${prompt}`, async () => {
        chat(...options)
        await terminal.sees('> ')
        terminal.type(`${prompt}\r`)
        await terminal.sees(shown)
        terminal.type(CTRL_D)
        expect((await terminal.ends()).status).to.equal(130)
        expect(terminal.shown).to.include('(stopped)').and.not.include('Asked again')
      })

      it(`leaves the answer to a single prompt at a question: ${prompt}`, async () => {
        chat(prompt, ...options)
        await terminal.sees(shown)
        terminal.type(CTRL_D)
        expect((await terminal.ends()).status).to.equal(130)
        expect(terminal.shown).to.include('(stopped)').and.not.include('Asked again')
      })
    }

    it('leaves an answer that asks when nobody can answer any more', async () => {
      chat('--set', 'tool_policy.wait=ask')
      await terminal.sees('> ')
      terminal.type(`wait\r${CTRL_D}`)
      expect((await terminal.ends()).status).to.equal(130)
      expect(terminal.shown).to.include('(stopped)').and.not.include('It has waited.')
    })
  })

  it('Ctrl-D after a prompt on standard input leaves nobody to ask', async () => {
    chat('-')
    terminal.type(`approval\r${CTRL_D}`)
    await terminal.sees('there is no terminal to ask in')
    expect((await terminal.ends()).status).to.equal(0)
  })

  describe('Ctrl-C', () => {
    for (const [prompt, shown, options] of ASKING) {
      it(`stops the answer to a single prompt at a question: ${prompt}`, async () => {
        chat(prompt, ...options)
        await terminal.sees(shown)
        terminal.type(CTRL_C)
        expect((await terminal.ends()).status).to.equal(130)
        expect(terminal.shown).to.include('(stopped)').and.not.include('Asked again')
      })
    }

    it('drops a line that was not sent, and a second one on an empty line ends', async () => {
      chat()
      await terminal.sees('> ')
      terminal.type('dropped')
      await terminal.sees('dropped')
      terminal.type(CTRL_C)
      await terminal.sees('to leave)')
      await terminal.sees('> ')
      terminal.type('kept\r')
      await terminal.sees('You said "kept".')
      await terminal.sees('> ')
      terminal.type(CTRL_C)
      await terminal.sees('to leave)')
      terminal.type(CTRL_C)
      expect((await terminal.ends()).status).to.equal(130)
    })

    it('does not end a conversation while a line is typed', async () => {
      chat()
      await terminal.sees('> ')
      terminal.type(CTRL_C)
      await terminal.sees('to leave)')
      terminal.type(`dropped${CTRL_C}`)
      await terminal.sees('to leave)')
      terminal.type('kept\r')
      await terminal.sees('You said "kept".')
      terminal.type(CTRL_D)
      expect((await terminal.ends()).status).to.equal(0)
    })

    it('stops an answer also after Ctrl-D', async () => {
      await writeFile(at('slow.mjs'), SLOW_TOOL + TELLS_END)
      await chatThatWaits()
      terminal.type(CTRL_D)
      await terminal.sees('no more keys')
      terminal.type(CTRL_C)
      expect((await terminal.ends()).status).to.equal(130)
      expect(terminal.shown).to.include('(stopped)')
    })
  })

  it('Ctrl-C and Ctrl-D work also where standard error goes to a file', async () => {
    const args = ['chat', '--no-instructions', '--config', 'chat.json']
    terminal = new Terminal(args, { cwd: made.folder, env: made.env, errors: at('errors') })
    terminal.type('one\r')
    await terminal.sees('You said "one".')
    terminal.type(CTRL_C)
    await terminal.sees('^C')
    terminal.type('two\r')
    await terminal.sees('You said "two".')
    terminal.type('approval\r')
    terminal.type(CTRL_D)
    expect((await terminal.ends()).status).to.equal(130)
    expect(await readFile(at('errors'), 'utf8'))
      .to.include('to leave)')
      .and.include('(stopped)')
  })

  it('A line that a stopped answer did not take is shown again as the next turn', async () => {
    await chatThatWaits()
    terminal.type('next\r')
    await terminal.sees('next')
    terminal.type(CTRL_C)
    await terminal.sees('(stopped)')
    await terminal.sees(/> next\r?\n/)
    await terminal.sees('You said "next".')
    terminal.type(CTRL_D)
    expect((await terminal.ends()).status).to.equal(0)
  })

  it('A line that is half typed when an answer ends goes on behind its last character', async () => {
    await chatThatWaits()
    terminal.type('ab')
    await terminal.sees('ab')
    await goOn()
    await terminal.sees('It has waited.')
    await terminal.sees('> ab')
    terminal.type('c\r')
    await terminal.sees('You said "abc".')
    terminal.type(CTRL_D)
    expect((await terminal.ends()).status).to.equal(0)
  })

  it('Lines that are pasted at once are turns, one after the other', async () => {
    chat()
    await terminal.sees('> ')
    terminal.type('one\rtwo\r')
    await terminal.sees('You said "one".')
    await terminal.sees('You said "two".')
    terminal.type(CTRL_D)
    expect((await terminal.ends()).status).to.equal(0)
  })
})
