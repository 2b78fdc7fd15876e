import { expect } from 'chai'
import { type AgentSpec, createRuntime, type ModelSpec } from '../../../src/agent/index.ts'
import { memoryStorage } from '../../../src/agent/memory-storage/index.ts'
import { createServer, LOCAL, type ServerOptions } from '../../../src/server/index.ts'
import { chatBody, user } from '../routes/served.ts'
import { AgentServer } from './agent-server.ts'

const MODEL: ModelSpec = {
  id: 'small',
  provider_id: 'scripted',
  upstream_model: 'scripted-1',
  context_window: 4321,
}
const HELPER: AgentSpec = {
  id: 'helper',
  description: 'Calculates.',
  model_id: 'small',
  system_prompt: 'You calculate.',
  allowed_tools: ['calculate'],
  config: { temperature: 0.5 },
}
const ASKING: AgentSpec = { ...HELPER, id: 'asking', config: { tool_policy: { calculate: 'ask' } } }
const AGENTS = [HELPER, ASKING, { ...HELPER, id: 'one-step', max_rounds: 1 }]

const messages = [{ role: 'user', content: 'go' }]
const agUi = {
  runId: 'r',
  messages: [{ id: 'q', role: 'user', content: 'go' }],
  tools: [],
  context: [],
  state: {},
}
/** A request of each protocol, for an agent. */
const WIRES: { readonly [wire: string]: (agent: string) => readonly [string, object] } = {
  'Chat Completions': (model) => ['/v1/chat/completions', { model, messages }],
  Responses: (model) => ['/v1/responses', { model, input: 'go' }],
  'Anthropic Messages': (model) => ['/v1/messages', { model, messages, max_tokens: 99 }],
  'the UI message stream': (agent) => ['/api/chat', chatBody(agent, [user('q', 'go')], { agent })],
  'AG-UI': (agent) => ['/ag-ui', { ...agUi, threadId: agent, forwardedProps: { agent } }],
}

describe('an agent that a server publishes', () => {
  let server: AgentServer
  afterEach(() => server.close())

  const start = async (options: Partial<ServerOptions> = {}) => {
    const { models: _, host: __, ...rest } = options
    server = await AgentServer.start(AGENTS, { models: [MODEL], ...rest })
  }
  const ask = (wire: string, agent: string, more: object = {}) => {
    const [path, body] = WIRES[wire]?.(agent) ?? expect.fail(wire)
    return server.served.ask(path, { body: { ...body, ...more } })
  }

  for (const wire of Object.keys(WIRES)) {
    it(`runs on ${wire} by its spec: prompt, catalog, model, config and steps`, async () => {
      await start()
      const { status, text } = await ask(wire, 'helper')
      expect(status).to.equal(200)
      expect(text).to.include('Done.')
      expect(server.systemOf()).to.deep.equal(['You calculate.'])
      expect(server.sent).to.have.length(2)
      expect(server.sent[1]).to.deep.include({
        tools: ['calculate'],
        temperature: 0.5,
        contextWindow: 4321,
      })
      server.sent.length = 0
      await ask(wire, 'one-step')
      expect(server.sent).to.have.length(1)
    })
  }

  it('is in the list of models, with its description, for those who may use it', async () => {
    await start({
      authenticate: (request) => {
        const isAda = request.headers.get('authorization')?.includes('ada') ?? false
        return isAda
          ? { id: 'ada', role: 'admin' }
          : { id: 'bob', role: 'user', models: { helper: { requests_per_day: 1 } } }
      },
    })
    const { json } = await server.served.ask('/v1/models')
    expect(json['data']).to.deep.include({
      id: 'helper',
      object: 'model',
      created: 0,
      owned_by: 'braidwork',
      description: 'Calculates.',
    })
    const names = (json['data'] as unknown as { id: string }[]).map(({ id }) => id)
    expect(names).to.deep.equal(['plain', 'plain-plain', 'helper', 'asking', 'one-step'])
    const headers = { 'anthropic-version': '2023-06-01' }
    const one = await server.served.ask('/v1/models/helper', { as: 'bob', headers })
    expect(one.json).to.include({ id: 'helper', description: 'Calculates.' })
    expect((await server.served.ask('/v1/models/asking', { as: 'bob' })).status).to.equal(404)
    const body = { model: 'helper', messages }
    const answers = [
      await server.served.ask('/v1/chat/completions', { as: 'bob', body }),
      await server.served.ask('/v1/chat/completions', { as: 'bob', body }),
      await server.served.ask('/v1/chat/completions', {
        as: 'bob',
        body: { ...body, model: 'asking' },
      }),
    ]
    // A limit of an agent counts its runs as one of a model does.
    expect(answers.map(({ status }) => status)).to.deep.equal([200, 429, 404])
  })

  it('says its prompt first, then the server, then the client', async () => {
    await start({ instructions: () => 'Be kind.' })
    const own = [{ role: 'system', content: 'Be quick.' }, ...messages]
    await ask('Chat Completions', 'helper', { messages: own })
    expect(server.systemOf()).to.deep.equal(['You calculate.', 'Be kind.', 'Be quick.'])
  })

  it('lets a request set what it may set for a model, and nothing that the spec decides', async () => {
    await start()
    await ask('Chat Completions', 'helper', { temperature: 0.1 })
    expect(server.sent[0]).to.include({ temperature: 0.1 })
    const tools = await server.served.ask('/api/tools?agent=helper')
    const named = tools.json['tools'] as unknown as { name: string }[]
    expect(named.map(({ name }) => name)).to.deep.equal(['calculate'])
    const all = await server.served.ask('/api/tools?agent=helper&all')
    expect(all.text).to.include('the catalog of the agent does not allow it')
  })

  it('is the agent of its conversation', async () => {
    await start()
    await server.chat('helper')
    const { json } = await server.served.ask('/api/conversations/talk')
    expect(json).to.include({ agent: 'helper' })
  })

  it('holds a client to its policy where nobody can be asked', async () => {
    await start()
    const { text } = await ask('Chat Completions', 'asking')
    expect(text).to.include('Done.')
    expect(server.sent[0]?.tools).to.deep.equal([])
  })

  it('goes on by its spec after an approval, on another server too', async () => {
    const storage = memoryStorage()
    await start({ storage })
    const { headers } = await server.chat('asking')
    const [approval] = await storage.approvals.list('ada', headers.get('x-run-id') ?? '')
    await server.close()
    await start({ storage })
    const id = approval?.id ?? expect.fail('nothing was asked')
    const answered = await server.served.ask(`/approvals/${id}`, { body: { approved: true } })
    await server.served.ask(`/runs/${String(answered.json['runId'])}/events`)
    expect(server.sent[0]).to.deep.include({ tools: ['calculate'], contextWindow: 4321 })
    expect(server.systemOf()).to.deep.equal(['You calculate.'])
    expect((await server.served.history('talk')).at(-1)?.parts.at(-1)?.text).to.equal('Done.')
  })

  it('keeps its prompt in front when a client sends back the rest of a run', async () => {
    const call = (name: string, input: object) => ({ name, input })
    const both = [call('calculate', { expression: '6 * 7' }), call('locate', { city: 'Rome' })]
    const script = [{ when: { step: 1 }, then: { tool_calls: both } }, { then: { text: 'Done.' } }]
    const config = { provider: 'scripted', settings: { scripted: { script, delay_ms: 0 } } }
    const agents = [HELPER, { ...HELPER, id: 'open', allowed_tools: ['calculate', 'locate'] }]
    server = await AgentServer.start(agents, { models: [MODEL], own: { config } })
    const tools = [{ type: 'function', function: { name: 'locate', parameters: {} } }]
    const closed = await ask('Chat Completions', 'helper', { tools })
    expect(closed.headers.get('x-braidwork-withheld-tools')).to.equal('locate')
    expect(server.sent[0]?.tools).to.deep.equal(['calculate'])
    server.sent.length = 0
    const first = await ask('Chat Completions', 'open', { tools })
    expect(first.headers.get('x-braidwork-withheld-tools')).to.equal(null)
    const [choice] = first.json['choices'] as unknown as [{ message: { tool_calls: object[] } }]
    const [{ id }] = choice.message.tool_calls as [{ id: string }]
    const result = { role: 'tool', tool_call_id: id, content: 'south' }
    const rest = [...messages, choice.message, result]
    expect((await ask('Chat Completions', 'open', { tools, messages: rest })).text).to.include(
      'Done.',
    )
    expect(server.sent[1]?.messages.map(({ role }) => role)).to.deep.equal([
      'system',
      'user',
      'assistant',
      'tool',
      'tool',
    ])
    expect(server.sent[1]?.tools).to.deep.equal(['calculate', 'locate'])
  })

  it('makes embeddings by its provider', async () => {
    await start()
    const body = { model: 'helper', input: 'a cat' }
    const { status, json } = await server.served.ask('/v1/embeddings', { body })
    expect(status).to.equal(200)
    expect(json).to.include({ model: 'helper' })
  })

  it('tells of its costs by the prices of its model', async () => {
    const models = [{ ...MODEL, prices: { input: 1000, output: 1000 } }]
    server = await AgentServer.start(AGENTS, { models, limits: { cost_per_day: 0.000001 } })
    expect((await ask('Chat Completions', 'helper')).status).to.equal(200)
    expect((await ask('Chat Completions', 'helper')).status).to.equal(429)
  })
})

describe('agents of a server', () => {
  let server: AgentServer
  afterEach(() => server.close())

  it('that are broken are told at the start, refuse in words of their own, and stop no others', async () => {
    const broken = { id: 'broken', model_id: 'none' }
    const unset = { id: 'unset', config: { settings: { scripted: { delay_ms: 'x' } } } }
    server = await AgentServer.start([broken, unset, { id: 'good', plugin_ids: ['extra'] }])
    const errors = server.logged.filter(({ level }) => level === 'error')
    expect(errors.map(({ code }) => code)).to.deep.equal(['MODEL_NOT_FOUND', 'SETTINGS_INVALID'])
    expect(errors[0]?.message).to.match(/^The agent "broken" cannot run: There is no model "none"/)
    const ask = (model: string) =>
      server.served.ask('/v1/chat/completions', { body: { model, messages } })
    const refused = await ask('broken')
    expect(refused.status).to.equal(500)
    expect(refused.json['error']).to.include({
      code: 'model_not_found',
      message: 'The agent cannot run: its spec is broken.',
    })
    expect((await ask('unset')).json['error']).to.include({ code: 'settings_invalid' })
    expect((await ask('good')).status).to.equal(200)
  })

  it('belong to the host of the server', async () => {
    server = await AgentServer.start()
    const { host } = server.served
    const other = await AgentServer.start()
    const runtime = await createRuntime({ host: other.served.host, agents: [{ id: 'a' }] })
    const options = { host, runtime, storage: memoryStorage(), anonymous: LOCAL }
    const refused = await createServer(options).catch((error: unknown) => error)
    expect(refused).to.include({ code: 'OPTION_INVALID', pointer: '/runtime' })
    await other.close()
  })

  it('are those that the operator lists; one with the name of a model is left out, and told', async () => {
    server = await AgentServer.start([{ id: 'a' }, { id: 'b' }, { id: 'plain' }], {
      agents: ['b', 'plain', 'bb'],
    })
    const { json } = await server.served.ask('/v1/models')
    const names = (json['data'] as unknown as { id: string }[]).map(({ id }) => id)
    expect(names).to.deep.equal(['plain', 'plain-plain', 'b'])
    const told = server.logged.filter(({ level }) => level === 'error')
    expect(told.map(({ message }) => message)).to.deep.equal([
      'The agent "plain" is not published, because a published model has the same name. Rename one of them.',
      '"server.agents" names the agent "bb", which is not declared. Did you mean "b"?',
    ])
    const { status } = await server.chat('a')
    expect(status).to.equal(404)
  })
})
