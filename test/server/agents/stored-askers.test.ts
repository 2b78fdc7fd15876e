import { expect } from 'chai'
import type { AgentSpec, EnvironmentHook } from '../../../src/agent/index.ts'
import { memoryStorage } from '../../../src/agent/memory-storage/index.ts'
import type { RunEvent } from '../../../src/plugin/events/index.ts'
import { FakeBackend } from '../../agent/backends/fake-backend.ts'
import { AgentServer } from './agent-server.ts'

const OWNER = 'ada'
/** The config of an agent that says a text. */
const saying = (text: string) => scripted([{ then: { text } }])
/** The config of an agent that calls a tool, and then says that it is done. */
const calling = (name: string) =>
  scripted([
    { when: { step: 1 }, then: { tool_calls: [{ name, input: { prompt: 'Go.' } }] } },
    { then: { text: 'Done.' } },
  ])

function scripted(script: readonly object[]) {
  return { config: { settings: { scripted: { script, delay_ms: 0 } } } }
}

describe('stored agents that ask others', () => {
  const storage = memoryStorage()
  let server: AgentServer
  afterEach(() => server.close())

  const backend = new FakeBackend()
  const greeter: EnvironmentHook = {
    name: 'greeter',
    schema: () => [{ name: 'greet', description: 'Greets.', input_schema: { type: 'object' } }],
    dispatch: () => 'Hello.',
  }

  const start = async (
    agents: readonly AgentSpec[] = [],
    published?: readonly string[],
    hooks: readonly EnvironmentHook[] = [greeter],
  ) => {
    server = await AgentServer.start(agents, {
      storage,
      storable: ['/settings/scripted'],
      backends: [backend],
      hooks,
      ...(published ? { agents: published } : {}),
    })
  }
  const ids = (): Promise<readonly string[]> =>
    storage.agents.list('braidwork:server').then((all) => all.map(({ id }) => id))
  beforeEach(async () => {
    for (const id of await ids()) await storage.agents.delete('braidwork:server', id)
  })

  const put = async (id: string, spec: object) => {
    const { status, json } = await server.put(`/api/agents/${id}`, spec)
    return status === 200 ? 200 : `${status} ${String(Object(json['error']).message)}`
  }

  let talks = 0
  /** Has a conversation with an agent. Returns the agents of its tree with their states, and the results of its calls. */
  async function ran(agent: string) {
    const talk = `talk-${talks++}`
    const { status, text } = await server.chat(agent, talk)
    expect(status, text).to.equal(200)
    const [root] = await storage.runs.list(OWNER, talk)
    const tree = await storage.runs.tree(OWNER, root?.id ?? '')
    const events: readonly RunEvent[] = await storage.runs.events(OWNER, root?.id ?? '')
    return {
      agents: tree.map(({ place, status: state }) => [place?.agent, state]),
      results: events.flatMap((event) =>
        event.type === 'tool-execution-end' ? [event.result.output] : [],
      ),
    }
  }

  it('AW-56 run their delegates, of the config and of the storage, as they are when they are asked', async () => {
    await start([{ id: 'reader', ...saying('I am the reader.') }])
    const delegates = ['reader', 'writer']
    expect(await put('writer', saying('I am the writer.'))).to.equal(200)
    expect(await put('boss', { delegates, ...calling('agent_run_reader') })).to.equal(200)
    const { agents, results } = await ran('boss')
    // A tree lists its runs in the order of their ids, which are random.
    expect(agents).to.have.deep.members([
      [undefined, 'done'],
      ['reader', 'done'],
    ])
    expect(results).to.deep.equal(['I am the reader.'])
    expect(await put('boss', { delegates, ...calling('agent_run_writer') })).to.equal(200)
    expect((await ran('boss')).results).to.deep.equal(['I am the writer.'])
    await put('writer', saying('I am another one.'))
    expect((await ran('boss')).results).to.deep.equal(['I am another one.'])
  })

  it('AW-10 are refused with a delegate that is not there, or that the server does not publish', async () => {
    await start([{ id: 'reader' }, { id: 'hidden' }], ['reader'])
    const missing = (id: string) =>
      `422 There is no agent "${id}". The agent "boss" refers to it. The known ones are boss, reader.`
    expect(await put('boss', { delegates: ['reader', 'hidden'] })).to.equal(missing('hidden'))
    expect(await put('boss', { delegates: ['reader', 'nobody'] })).to.equal(missing('nobody'))
    expect(await put('boss', { team: { members: ['hidden', 'reader'] } })).to.match(/^422 /)
    expect(await ids()).to.deep.equal([])
  })

  it('run those of the config with the hooks of their runtime, as they run themselves', async () => {
    const script = [
      { when: { step: 1 }, then: { tool_calls: [{ name: 'greet', input: {} }] } },
      { then: { text: 'It said {{result.greet}}' } },
    ]
    await start([{ id: 'reader', ...scripted(script) }])
    await put('boss', { delegates: ['reader'], ...calling('agent_run_reader') })
    expect((await ran('boss')).results).to.deep.equal(['It said Hello.'])
    expect(server.sent.map(({ tools }) => tools.includes('greet'))).to.deep.equal([
      true,
      true,
      true,
      true,
    ])
  })

  it('AL-13 lead teams of both', async () => {
    await start([{ id: 'reader', ...saying('I am the reader.') }])
    await put('writer', saying('I am the writer.'))
    const team = { leader: 'boss', members: ['reader', 'writer'] }
    expect(await put('boss', { team, ...calling('team_broadcast_boss') })).to.equal(200)
    const { agents, results } = await ran('boss')
    expect(agents.map(([id]) => id).sort()).to.deep.equal(['reader', 'writer', undefined])
    expect(results).to.deep.equal([
      [
        { agent: 'reader', status: 'done', text: 'I am the reader.' },
        { agent: 'writer', status: 'done', text: 'I am the writer.' },
      ],
    ])
  })

  it('AW-16 ask agents of other servers, which the config declares', async () => {
    const endpoint = { backend: 'a2a', base_url: 'http://127.0.0.1:9/' }
    await start([{ id: 'far', endpoint }])
    expect(await put('boss', { delegates: ['far'], ...calling('agent_run_far') })).to.equal(200)
    const { agents, results } = await ran('boss')
    expect(agents).to.deep.include(['far', 'done'])
    expect(results).to.deep.equal(['Go.'])
    expect(backend.orders).to.have.length(1)
  })

  it('AL-13 cannot have a team that is inside itself, however deep', async () => {
    await start([{ id: 'reader' }])
    await put('writer', {})
    await put('helper', { team: { members: ['writer', 'reader'] } })
    await put('boss', { team: { members: ['helper', 'reader'] } })
    expect(await put('writer', { team: { members: ['boss', 'reader'] } })).to.match(
      /^422 The team of "writer" is inside itself: writer → boss → helper → writer/,
    )
  })

  it('ask those that their delegates ask, and are told where a circle closes', async () => {
    await start()
    await put('writer', saying('I am the writer.'))
    await put('boss', { delegates: ['writer'], ...calling('agent_run_writer') })
    await put('helper', { delegates: ['boss'], ...calling('agent_run_boss') })
    const { agents, results } = await ran('helper')
    expect(agents).to.have.deep.members([
      [undefined, 'done'],
      ['boss', 'done'],
      ['writer', 'done'],
    ])
    expect(results).to.deep.equal(['Done.'])
    await put('writer', { delegates: ['helper'], ...calling('agent_run_helper') })
    const circle = await ran('helper')
    expect(circle.results).to.deep.equal(['Done.'])
    expect(circle.agents.map(([id]) => id)).to.have.members([undefined, 'boss', 'writer'])
  })

  it('keep those that they ask from being deleted', async () => {
    await start([{ id: 'reader' }])
    await put('writer', {})
    await put('boss', { delegates: ['reader', 'writer'] })
    const remove = (id: string) =>
      server.served.ask(`/api/agents/${id}`, { method: 'DELETE', as: 'ada' })
    const refused = await remove('writer')
    expect(refused.status).to.equal(422)
    expect(refused.text).to.include('The agent \\"boss\\" refers to the agent \\"writer\\".')
    expect((await remove('reader')).status).to.equal(404)
    expect((await remove('boss')).status).to.equal(204)
    expect((await remove('writer')).status).to.equal(204)
  })

  it('go on without one that is deleted while they run, and know why', async () => {
    const remover: EnvironmentHook = {
      name: 'remover',
      schema: () => [{ name: 'remove', description: 'Removes.', input_schema: { type: 'object' } }],
      dispatch: async () => {
        await storage.agents.delete('braidwork:server', 'writer')
        return 'Removed.'
      },
    }
    await start([], undefined, [remover])
    await put('writer', {})
    const call = (step: number, name: string) => ({
      when: { step },
      then: { tool_calls: [{ name, input: { prompt: 'Go.' } }] },
    })
    const script = [call(1, 'remove'), call(2, 'agent_run_writer'), { then: { text: 'Done.' } }]
    await put('boss', { delegates: ['writer'], ...scripted(script) })
    const { agents, results } = await ran('boss')
    expect(agents).to.deep.equal([[undefined, 'done']])
    expect(results).to.deep.equal([
      'Removed.',
      {
        agent: 'writer',
        status: 'failed',
        code: 'AGENT_NOT_FOUND',
        message: 'There is no agent "writer" any more. The agent "boss" refers to it.',
      },
    ])
  })

  it('tell the caller where one that they ask is gone', async () => {
    await start()
    await put('writer', {})
    await put('boss', { delegates: ['writer'] })
    await storage.agents.delete('braidwork:server', 'writer')
    const { status, text } = await server.chat('boss')
    expect(`${status} ${text}`).to.match(/AGENT_NOT_FOUND/)
  })
})
