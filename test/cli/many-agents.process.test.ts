import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import type { TreeAgent } from '../../src/agent/index.ts'
import { braidwork } from './command.ts'
import { post, Serving } from './serving.ts'

const asks = (id: string) => ({ name: `agent_run_${id}`, input: { prompt: 'go' } })
const calls = (...tool_calls: readonly object[]) => ({ when: { step: 1 }, then: { tool_calls } })
const tasks = [{ prompt: 'part' }, { prompt: 'part' }]

const SCRIPTS = {
  editor: [calls(asks('finder'), asks('lost')), { then: { text: 'All is written.' } }],
  finder: [
    { when: { text: 'part' }, then: { text: 'a part' } },
    calls({ name: 'agent_spawn', input: { tasks } }),
    { then: { text: 'I found it.' } },
  ],
  lost: [{ then: { fault: 'failed' } }],
}

const specOf = (script: readonly object[], more: object = {}) => ({
  config: { settings: { scripted: { script, delay_ms: 0 } } },
  ...more,
})

describe('agents that ask agents, in the terminal', () => {
  let folder: string
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'braidwork-tree-'))
    const config = {
      provider: 'scripted',
      agents: {
        editor: specOf(SCRIPTS.editor, { delegates: ['finder', 'lost'] }),
        finder: specOf(SCRIPTS.finder, { subagents: true }),
        lost: specOf(SCRIPTS.lost),
        desk: {
          team: {
            leader: 'finder',
            members: ['finder', { agent: 'lost', capabilities: ['verse'] }],
            default: 'lost',
          },
        },
      },
      server: { store: 'stored.db' },
    }
    writeFileSync(join(folder, 'braidwork.json'), JSON.stringify(config))
  })
  after(() => rmSync(folder, { recursive: true, force: true }))

  const CONFIG = ['--config', 'braidwork.json']

  it('AL-04 are drawn by chat as branches while they work', async () => {
    const chat = ['chat', '--agent', 'editor', 'go', ...CONFIG]
    const { out, err, status } = await braidwork(chat, { cwd: folder })
    expect([status, out.trim()]).to.deep.equal([0, 'All is written.'])
    const lines = err.split('\n')
    for (const line of [
      '┌ finder',
      '│ finder → agent_spawn',
      '│ ┌ finder[0]',
      '│ │ finder[1]: a part',
      '│ └ finder[0] completed',
      '│ finder: I found it.',
      '└ finder completed',
      '┌ lost',
    ]) {
      expect(lines, err).to.include(line)
    }
    expect(err).to.match(/^└ lost failed: .*the API failed/m)
    expect(err).to.not.include('"lane"')
  })

  it('AL-04 are drawn by runs tree as they are stored', async () => {
    const server = new Serving(folder, ['--port', '0', ...CONFIG])
    const body = { model: 'editor', input: 'go', store: true }
    const answer = await post(await server.address(), '/v1/responses', body)
    await answer.text()
    const id = answer.headers.get('x-run-id') ?? ''
    await server.stop('SIGTERM')
    const tree = (...words: readonly string[]) =>
      braidwork(['runs', 'tree', ...words, ...CONFIG], { cwd: folder })
    const drawn = await tree(id)
    expect(drawn.status, drawn.err).to.equal(0)
    const shown = drawn.out.replace(/[0-9a-f-]{36}/g, 'ID').replace(/\d+\.\d s/g, 'TIME')
    const [root, ...below] = shown.trim().split('\n')
    expect(root).to.equal('editor ID: completed, TIME')
    // Siblings that began in the same millisecond may be drawn in any order.
    const branches = below.map((line) => line.replace(/[├└]/, '+').replace(/^│/, ' '))
    expect(branches.toSorted()).to.deep.equal([
      '   +─ finder ID: completed, TIME',
      '   +─ finder ID: completed, TIME',
      '+─ finder ID: completed, TIME',
      '+─ lost ID: failed, TIME',
    ])
    expect(below.at(-1)?.replace(/^ {3}/, '')[0]).to.equal('└')
    const { agents } = JSON.parse((await tree(id, '--json')).out) as {
      readonly agents: readonly TreeAgent[]
    }
    expect(agents.map((agent) => agent.id)).to.deep.equal(agents.map((one) => one.id).toSorted())
    expect(agents.find((agent) => agent.id === id)?.children).to.have.length(2)
    const list = (...words: readonly string[]) =>
      braidwork(['runs', 'list', ...words, ...CONFIG], { cwd: folder })
    const [head, only, ...others] = (await list()).out.trim().split('\n')
    expect(head).to.match(/^RUN +AGENT +STATUS +STARTED +CONVERSATION$/)
    expect(only).to.match(new RegExp(`^${id}  editor  done `))
    expect(others).to.deep.equal([])
    const [listed] = JSON.parse((await list('--json', '--limit', '1')).out) as readonly object[]
    expect(listed).to.include({ id, agent: 'editor', status: 'done' })
    const none = await list('--owner', 'bob')
    expect([none.status, none.out]).to.deep.equal([0, ''])
    expect(none.err).to.match(/^"bob" has no runs\. "--owner ID" lists/)
    const foreign = await tree(id, '--owner', 'bob')
    expect(foreign.status).to.equal(1)
    expect(foreign.err).to.include('RUN_UNKNOWN')
  })

  it('AW-10 are named by agents explain', async () => {
    const told = async (id: string) =>
      (await braidwork(['agents', 'explain', id, ...CONFIG], { cwd: folder })).out.split('\n')
    expect(await told('editor')).to.include('asks: finder, lost')
    expect(await told('finder')).to.include('asks: itself, as subagents')
    expect(await told('desk')).to.include('team: finder (leads), lost (can do verse; default)')
  })
})
