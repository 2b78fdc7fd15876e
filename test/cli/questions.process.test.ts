import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { ROOT } from '../helpers/source-files.ts'
import { hasTerminal, Terminal } from '../helpers/terminal.ts'
import { sdkServer } from '../tools/mcp/servers.ts'
import { braidwork } from './command.ts'

const questions = [
  { question: 'Which color?', options: ['red', 'blue'] },
  { question: 'How many?', schema: '{"type":"integer","minimum":1}' },
]
const SCRIPT = [
  {
    when: { step: 1 },
    then: { tool_calls: questions.map((input) => ({ name: 'ask_user', input })) },
  },
  { then: { text: 'Results: {{result.ask_user}}' } },
]
const CONFIG = {
  settings: { scripted: { delay_ms: 0, script: SCRIPT } },
  agents: { painter: { plugin_ids: ['ask-user'] } },
}

describe('braidwork chat, where the model asks a question', () => {
  let folder: string
  beforeEach(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), 'braidwork-')))
    await writeFile(join(folder, 'braidwork.json'), JSON.stringify(CONFIG))
  })
  afterEach(() => rm(folder, { recursive: true }))

  const CHAT = ['chat', '--config', 'braidwork.json', '--agent', 'painter']

  it('CT-31 goes on without an answer where there is nobody to ask, and says so', async () => {
    const { status, err } = await braidwork([...CHAT, 'Paint it'], { cwd: folder })
    expect(status).to.equal(0)
    expect(err)
      .to.include("Calls to ask_user need a person's answer, but there is no terminal to ask in.")
      .and.to.include('The question was not answered. Nobody answered.')
  })

  describe('in a terminal', () => {
    before(function () {
      if (hasTerminal()) return
      process.stderr.write('"in a terminal" is skipped: python3 has no pseudo-terminals here\n')
      this.skip()
    })

    it('CT-31 asks until the answer fits, and lets the user decline', async () => {
      const terminal = new Terminal([...CHAT, 'Paint it'], {
        cwd: folder,
        env: { XDG_CONFIG_HOME: '/dev/null/none' },
      })
      await terminal.sees('Which color?')
      await terminal.sees('  2. blue')
      terminal.type('green\r')
      await terminal.sees('It must be one of "red", "blue".')
      terminal.type('2\r')
      await terminal.sees('How many?')
      terminal.type('\r')
      await terminal.sees('{"answer":"blue"}')
      await terminal.sees('The question was not answered. The person declined to answer it.')
      expect((await terminal.ends()).status).to.equal(0)
    })

    it('AL-23 asks for what a delegate needs as for calls of its own', async () => {
      const asks = (id: string) => ({ name: `agent_run_${id}`, input: { prompt: 'go' } })
      const working = (call: { readonly name: string; readonly input: unknown }) => [
        { when: { step: 1 }, then: { tool_calls: [call] } },
        { then: { text: `Result: {{result.${call.name}}}` } },
      ]
      const specOf = (script: readonly object[], more: object = {}) => ({
        config: { settings: { scripted: { script, delay_ms: 0 } }, ...more },
      })
      const sum = { name: 'calculate', input: { expression: '12 * 34' } }
      const lead = [
        { when: { step: 1 }, then: { tool_calls: [asks('clerk'), asks('other'), asks('asker')] } },
        { then: { text: 'All is done.' } },
      ]
      const agents = {
        boss: { ...specOf(lead), delegates: ['clerk', 'other', 'asker'] },
        clerk: specOf(working(sum), { tool_policy: { calculate: 'ask' } }),
        other: specOf(working(sum), { tool_policy: { calculate: 'ask' } }),
        asker: {
          ...specOf(working({ name: 'ask_user', input: questions[0] })),
          plugin_ids: ['ask-user'],
        },
      }
      await writeFile(join(folder, 'team.json'), JSON.stringify({ agents, provider: 'scripted' }))
      const terminal = new Terminal(['chat', '--config', 'team.json', '--agent', 'boss', 'Go'], {
        cwd: folder,
        env: { XDG_CONFIG_HOME: '/dev/null/none' },
      })
      const asked = (id: string) =>
        `The agent "${id}" asks to call "calculate" with {"expression":"12 * 34"}. Run it? [y/N]`
      await terminal.sees(asked('clerk'))
      terminal.type('y\r')
      await terminal.sees(asked('other'))
      terminal.type('n\r')
      await terminal.sees('Which color?')
      await terminal.sees('  2. blue')
      terminal.type('2\r')
      await terminal.sees('All is done.')
      expect((await terminal.ends()).status).to.equal(0)
      expect(terminal.shown).to.include('408').and.include('not approved').and.include('"blue"')
    })

    it('CT-31 asks for the fields of an answer in the middle of a call of an MCP server', async () => {
      const script = [
        { when: { tool: 'fx__asks' }, then: { text: 'It says: {{result.fx__asks}}' } },
        { then: { tool_calls: [{ name: 'fx__asks', input: {} }] } },
      ]
      const config = {
        plugins: [join(ROOT, 'tools', 'mcp')],
        enabled_plugins: ['mcp'],
        settings: { scripted: { delay_ms: 0, script }, mcp: { servers: { fx: sdkServer() } } },
      }
      await writeFile(join(folder, 'mcp.json'), JSON.stringify(config))
      const terminal = new Terminal(['chat', '--config', 'mcp.json', 'Paint it'], {
        cwd: folder,
        env: { XDG_CONFIG_HOME: '/dev/null/none' },
      })
      await terminal.sees('Which color?')
      await terminal.sees('  "color": (required; one of "red", "blue")')
      terminal.type('{"color": "blue"}\r')
      await terminal.sees('It says: accept: blue')
      expect((await terminal.ends()).status).to.equal(0)
    })
  })
})
