import { join } from 'node:path'
import { expect } from 'chai'
import type { AgentSpec, Storage } from '../../../src/agent/index.ts'
import { memoryStorage } from '../../../src/agent/memory-storage/index.ts'
import { SPECS_OWNER } from '../../../src/server/internal.ts'
import { tool } from '../../helpers/plugins.ts'
import { ROOT } from '../../helpers/source-files.ts'
import type { Answered } from '../routes/served.ts'
import { AgentServer } from './agent-server.ts'

const MODEL = { provider_id: 'scripted', upstream_model: 'scripted-1', context_window: 4321 }
const SPEC = {
  description: 'Calculates.',
  model_id: 'small',
  system_prompt: 'You calculate.',
  allowed_tools: ['calculate'],
  excluded_tools: null,
  config: { temperature: 0.5, tool_policy: { calculate: 'ask' } },
}

function faultOf({ status, json }: Answered): string {
  const { code, pointer, message } = Object(json['error']) as Record<string, unknown>
  return `${status} ${String(code)} ${String(pointer)}: ${String(message)}`
}

describe('specs that admins store', () => {
  let server: AgentServer
  let storage: Storage
  beforeEach(() => {
    storage = memoryStorage()
  })
  afterEach(() => server.close())

  const start = async (
    agents: readonly AgentSpec[] = [],
    options: Parameters<typeof AgentServer.start>[1] = {},
  ) => {
    server = await AgentServer.start(agents, { storage, ...options })
  }

  it('AW-56 are kept as they are, and the next run sees them', async () => {
    await start()
    expect((await server.put('/api/models/small', MODEL)).json).to.deep.include({
      id: 'small',
      spec: { ...MODEL, id: 'small' },
    })
    const made = await server.put('/api/agents/helper', SPEC)
    expect(made.status).to.equal(200)
    // What is null stays null, and what is absent stays absent.
    expect(made.json['spec']).to.deep.equal({ ...SPEC, id: 'helper' })
    const { json } = await server.served.ask('/api/agents/helper')
    expect(json).to.deep.include({ id: 'helper', name: 'helper', from: 'storage' })
    expect(json['spec']).to.deep.equal({ ...SPEC, id: 'helper' })
    expect((await server.served.ask('/v1/models/helper', { as: 'bob' })).json).to.include({
      description: 'Calculates.',
    })
    await server.chat('helper')
    expect(server.sent[0]).to.deep.include({
      tools: ['calculate'],
      temperature: 0.5,
      contextWindow: 4321,
    })
    expect(server.systemOf()).to.deep.equal(['You calculate.'])
    const changed = await server.put('/api/agents/helper', { config: { temperature: 0.25 } })
    expect(changed.status).to.equal(200)
    await server.chat('helper', 'later')
    expect(server.sent.at(-1)).to.include({ temperature: 0.25 })
  })

  it('are told every fault of a resolution, and no layer of the config', async () => {
    await start()
    const faults = [
      await server.put('/api/agents/a', { sections: { retry: { max_retrys: 1 } } }),
      await server.put('/api/agents/a', { sections: { permission: { rules: 'x' } } }),
    ].map(faultOf)
    expect(faults[0]).to.match(/^422 INVALID_PLUGIN_CONFIG \/sections\/retry/)
    expect(faults[1]).to.match(/^422 INVALID_PLUGIN_CONFIG \/sections\/permission/)
    await server.put('/api/models/small', MODEL)
    const trial = await server.put('/api/agents/a?trial=only', { model_id: 'small' })
    expect(trial.json)
      .to.have.nested.property('routing.candidates')
      .that.deep.equals([{ id: 'small', provider: 'scripted', model: 'scripted-1' }])
    expect(trial.json).not.to.have.property('hookTools')
  })

  it('AW-56 may neither allow tools by a section nor filter what acts', async () => {
    await start()
    const rules = [{ tool: 'calculate', decision: 'allow' }]
    const faults = [
      await server.put('/api/agents/a', { sections: { permission: { rules } } }),
      await server.put('/api/agents/a', { active_hook_filter: [] }),
    ].map(faultOf)
    expect(faults[0]).to.match(/^422 SPEC_INVALID \/sections\/permission\/rules\/0: /)
    expect(faults[1]).to.match(/^422 SPEC_INVALID \/active_hook_filter: /)
    const stop_conditions = [{ type: 'max_rounds', rounds: 2 }]
    expect((await server.put('/api/agents/a', { stop_conditions })).status).to.equal(200)
  })

  it('AW-56 are tried first: what does not resolve is refused with its place, and not stored', async () => {
    await start()
    const faults = [
      await server.put('/api/agents/a', { model_id: 'none' }),
      await server.put('/api/agents/a', { plugin_ids: ['nothing'] }),
      await server.put('/api/agents/a', { max_rounds: 0 }),
      await server.put('/api/agents/a', { allowed_tool_patterns: [''] }),
      await server.put('/api/agents/a', { plugin_id: 'x' }),
      await server.put('/api/agents/a', { id: 'b' }),
      await server.put('/api/models/m', { ...MODEL, provider_id: 'nobody' }),
      await server.put('/api/models/m', { ...MODEL, max_output_tokens: 5000 }),
      await server.put('/api/agents/a b', {}),
    ].map(faultOf)
    expect(faults[0]).to.match(/^422 MODEL_NOT_FOUND \/model_id: There is no model "none"/)
    expect(faults[1]).to.match(/^422 PLUGIN_NOT_FOUND \/plugin_ids: /)
    expect(faults[2]).to.match(/^422 SPEC_INVALID \/max_rounds: /)
    expect(faults[3]).to.match(/^422 SPEC_INVALID \/allowed_tool_patterns\/0: /)
    expect(faults[4]).to.match(/^422 SPEC_INVALID \/plugin_id: .*Did you mean "plugin_ids"/)
    expect(faults[5]).to.match(/^400 REQUEST_INVALID \/id: .*"b".*"a"/)
    expect(faults[6]).to.match(/^422 SPEC_INVALID \/provider_id: /)
    expect(faults[7]).to.match(/^422 SPEC_INVALID \/max_output_tokens: /)
    expect(faults[8]).to.match(/^422 SPEC_INVALID \/id: /)
    expect(await storage.agents.list(SPECS_OWNER)).to.deep.equal([])
    expect(await storage.documents.list(SPECS_OWNER, 'model')).to.deep.equal([])
  })

  it('are told with all their faults, each with its place in the spec', async () => {
    await start([], { storable: ['/settings/scripted'] })
    const placesOf = async (spec: object) => {
      const { json } = await server.put('/api/agents/a?trial=only', spec)
      const { faults } = Object(json['error']) as {
        readonly faults: readonly { pointer: string }[]
      }
      return faults.map(({ pointer }) => pointer)
    }
    expect(await placesOf({ max_rounds: 0, subagents: 'yes' })).to.deep.equal([
      '/max_rounds',
      '/subagents',
    ])
    const config = { settings: { scripted: { delay_ms: 'long' } } }
    expect(await placesOf({ config })).to.deep.equal(['/config/settings/scripted/delay_ms'])
    expect(await placesOf({ delegates: ['nobody'] })).to.deep.equal(['/delegates/0'])
    const retry = { max_retries: -1, jitter: 'much' }
    expect(await placesOf({ sections: { retry } })).to.have.members([
      '/sections/retry/max_retries',
      '/sections/retry/jitter',
    ])
  })

  it('are described by a schema with the ids that there are, for forms', async () => {
    await start([{ id: 'counter' }])
    await server.put('/api/models/small', MODEL)
    await server.put('/api/agents/helper', {})
    const { json } = await server.served.ask('/api/agent-schema')
    const { properties, additionalProperties } = Object(json['schema']) as {
      readonly properties: { readonly [field: string]: object }
      readonly additionalProperties: boolean
    }
    expect(additionalProperties).to.equal(false)
    expect(properties).to.have.property('max_rounds')
    expect(properties).not.to.have.any.keys('endpoint', 'active_hook_filter')
    expect(properties['model_id']).to.deep.equal({
      title: 'Model ID',
      type: 'string',
      examples: ['small'],
    })
    expect(properties['team']).to.have.nested.property('properties.leader.title', 'Leader')
    expect(properties['delegates'])
      .to.have.nested.property('items.examples')
      .that.deep.equals(['counter', 'helper'])
    expect(properties['plugin_ids'])
      .to.have.nested.property('items.examples')
      .that.includes('extra')
    const lists = (properties['allowed_tools'] as { readonly anyOf: readonly object[] }).anyOf
    expect(lists[0]).to.have.nested.property('items.examples').that.includes('calculate')
    expect(lists[1]).to.deep.equal({ type: 'null' })
    expect((await server.served.ask('/api/agent-schema', { as: 'bob' })).status).to.equal(404)
  })

  it('can be tried only, which explains their tools, limits and warnings', async () => {
    await start()
    const spec = { allowed_tools: ['calculate', 'calc*'], max_rounds: 3 }
    const { status, json } = await server.put('/api/agents/a?trial=only', spec)
    expect(status).to.equal(200)
    expect(json['limits']).to.deep.equal({ max_rounds: { value: 3, source: 'agent' } })
    const tools = json['tools'] as unknown as { tool_name: string }[]
    expect(tools.find(({ tool_name: name }) => name === 'current_time')).to.deep.include({
      reason: 'the catalog of the agent does not allow it',
      why: { code: 'TOOL_UNLISTED' },
    })
    const warnings = json['warnings'] as unknown as { code: string }[]
    expect(warnings.map(({ code }) => code)).to.deep.equal(['CATALOG_STAR_IN_LITERAL'])
    expect(await storage.agents.list(SPECS_OWNER)).to.deep.equal([])
    const model = await server.put('/api/models/m?trial=only', MODEL)
    expect(model.json['spec']).to.deep.equal({ ...MODEL, id: 'm' })
    expect(await storage.documents.list(SPECS_OWNER, 'model')).to.deep.equal([])
    expect(faultOf(await server.put('/api/agents/a?trial=yes', spec))).to.match(/^400 .*\/trial/)
  })

  it('are for admins only: for others their routes do not exist', async () => {
    await start()
    await server.put('/api/agents/a', {})
    for (const path of ['/api/agents', '/api/agents/a', '/api/models', '/api/models/a']) {
      for (const method of ['GET', 'PUT', 'PATCH', 'DELETE']) {
        const body = method === 'GET' ? {} : { body: {} }
        const refused = await server.served.ask(path, { method, as: 'bob', ...body })
        expect(refused.status, `${method} ${path}`).to.equal(404)
        expect(refused.text).to.include('METHOD_UNKNOWN')
      }
    }
    expect(await storage.agents.list(SPECS_OWNER)).to.have.length(1)
  })

  it('are listed beside those of the config, renamed by name and never by id, and deleted', async () => {
    await start([{ id: 'declared', config: { settings: { scripted: { delay_ms: 0 } } } }])
    await server.put('/api/agents/one', { description: 'First.' })
    await server.put('/api/agents/two', {})
    const rename = (id: string, name: unknown) =>
      server.served.ask(`/api/agents/${id}`, { method: 'PATCH', body: { name } })
    expect((await rename('one', 'Uno')).json).to.include({ id: 'one', name: 'Uno' })
    expect(faultOf(await rename('two', 'Uno'))).to.match(/^409 AGENT_NAME_TAKEN/)
    expect((await rename('two', '')).status).to.equal(400)
    expect((await rename('three', 'x')).status).to.equal(404)
    await server.put('/api/agents/one', { description: 'Changed.' })
    const { json } = await server.served.ask('/api/agents')
    const agents = (json['agents'] as unknown as { updatedAt?: number }[]).map(
      ({ updatedAt: _, ...agent }) => agent,
    )
    expect(agents).to.deep.equal([
      { id: 'declared', name: 'declared', from: 'config' },
      { id: 'one', name: 'Uno', from: 'storage', description: 'Changed.' },
      { id: 'two', name: 'two', from: 'storage' },
    ])
    const headers = { 'anthropic-version': '2023-06-01' }
    const shown = await server.served.ask('/v1/models/one', { headers })
    expect(shown.json).to.include({ display_name: 'Uno' })
    const remove = (path: string) => server.served.ask(path, { method: 'DELETE' })
    expect((await remove('/api/agents/one')).status).to.equal(204)
    expect((await remove('/api/agents/one')).status).to.equal(404)
    expect((await remove('/api/agents/declared')).status).to.equal(404)
    expect((await server.chat('one')).status).to.equal(404)
    expect((await server.served.ask('/api/agents/declared')).json['spec']).to.include({
      id: 'declared',
    })
  })

  it('take no name that the config has', async () => {
    const models = [{ id: 'small', provider_id: 'scripted', upstream_model: 'scripted-1' }]
    await start([{ id: 'declared' }], { models })
    for (const path of ['agents/declared', 'agents/plain', 'agents/plain-plain', 'models/small']) {
      const body = path.startsWith('models') ? MODEL : {}
      expect(faultOf(await server.put(`/api/${path}`, body))).to.match(/^422 SPEC_INVALID \/id: /)
    }
  })

  it('hold a model that a stored agent needs, and refuse one with which it would not run', async () => {
    await start()
    await server.put('/api/models/small', MODEL)
    await server.put('/api/agents/helper', { model_id: 'small' })
    const remove = () => server.served.ask('/api/models/small', { method: 'DELETE' })
    expect(faultOf(await remove())).to.match(/^422 SPEC_INVALID .*The agent "helper" refers to/)
    const shown = await server.served.ask('/api/models/small')
    expect(shown.json['spec']).to.deep.equal({ ...MODEL, id: 'small' })
    expect((await server.served.ask('/api/models')).json['models']).to.have.length(1)
    await server.served.ask('/api/agents/helper', { method: 'DELETE' })
    expect((await remove()).status).to.equal(204)
    expect((await remove()).status).to.equal(404)
    expect((await server.served.ask('/api/models/small')).status).to.equal(404)
  })

  it('leave models of the config alone, which no request deletes, though a stored agent uses one', async () => {
    const models = [{ id: 'small', provider_id: 'scripted', upstream_model: 'scripted-1' }]
    await start([], { models })
    expect((await server.put('/api/agents/helper', { model_id: 'small' })).status).to.equal(200)
    const removal = await server.served.ask('/api/models/small', { method: 'DELETE' })
    expect(faultOf(removal)).to.match(/^404 MODEL_UNPUBLISHED .*no stored model "small"/)
  })

  describe('reach nothing that the config of the server does not reach', () => {
    const refused = async (spec: object) => faultOf(await server.put('/api/agents/a', spec))

    it('neither providers, paths, addresses, secrets nor limits', async () => {
      await start()
      const own = {
        limits: { execute_tool: 9999 },
        tool_names: { 'calculator.calculate': 'harmless' },
        enabled_plugins: { add: ['extra'] },
        disabled_plugins: ['watcher'],
        force_enabled_plugins: ['extra'],
        base_url: 'http://127.0.0.1:1',
      }
      for (const [key, value] of Object.entries(own)) {
        expect(await refused({ config: { [key]: value } })).to.match(
          new RegExp(`^422 SPEC_INVALID /config/${key}: `),
        )
      }
      const endpoint = { backend: 'a2a', base_url: 'http://127.0.0.1:1' }
      expect(await refused({ endpoint })).to.match(/^422 SPEC_INVALID \/endpoint: /)
      for (const key of ['provider', 'model', 'plugins', 'server', 'agents', 'models']) {
        expect(await refused({ config: { [key]: {} } })).to.match(/^422 SPEC_INVALID \/config\//)
      }
      const settings = { scripted: { script_file: '/etc/passwd', fault: { type: 'cut' } } }
      expect(await refused({ config: { settings } })).to.match(
        /^422 SPEC_INVALID \/config\/settings\/scripted\/script_file: .*"server\.storable"/s,
      )
      const env = { system_prompt: '${env:HOME}' }
      await server.put('/api/agents/env', env)
      await server.chat('env')
      expect(server.systemOf()).to.deep.equal(['${env:HOME}'])
    })

    it('but the settings and switches that the operator lists, and of these no secret', async () => {
      const keyed = {
        ...tool('keyed', { schemas: ['look'] }),
        configSchema: {
          type: 'object',
          properties: {
            key: { type: 'string', writeOnly: true },
            place: { type: 'string' },
            address: { type: 'string', 'x-destination': true },
          },
        },
      }
      const own = { plugins: [...(await plugins()), keyed] }
      const listed = ['/settings/keyed', '/switches/extra']
      await start([], { own, storable: listed })
      expect((await server.put('/api/agents/a', { plugin_ids: ['extra'] })).status).to.equal(200)
      const set = (settings: object) => ({ config: { settings: { keyed: settings } } })
      expect((await server.put('/api/agents/a', set({ place: 'Rome' }))).status).to.equal(200)
      expect(await refused(set({ key: 'mine' }))).to.match(/^422 SPEC_INVALID \/config\/settings: /)
      expect(await refused(set({ address: 'http://127.0.0.1' }))).to.match(
        /^422 SPEC_INVALID \/config\/settings\/keyed\/address: .*where secrets are sent/,
      )
      await server.close()
      await start([], { own })
      expect(await refused({ plugin_ids: ['extra'] })).to.match(
        /^422 SPEC_INVALID \/plugin_ids\/0: .*"\/switches\/extra" in "server\.storable"/,
      )
      // What was stored while the operator still listed it runs no more.
      expect((await server.chat('a')).text).to.include('SPEC_INVALID')
      const told = server.logged.find(({ message }) => message.startsWith('The stored agent "a"'))
      expect(told).to.include({ level: 'warn', code: 'SPEC_INVALID' })
    })

    it('and no plugin that is off by default, as the manifest of its package says', async () => {
      const packages = [join('extensions', 'prompt-cache'), join('tools', 'fetch')].map((path) =>
        join(ROOT, path),
      )
      await start([], { own: { plugins: [...(await plugins()), ...packages] } })
      expect(await refused({ plugin_ids: ['fetch'] })).to.match(
        /^422 SPEC_INVALID \/plugin_ids\/0: .*"\/switches\/fetch"/,
      )
      expect(await refused({ context_policy: {} })).to.match(
        /^422 SPEC_INVALID \/context_policy\/enable_prompt_cache: .*"\/switches\/prompt-cache"/,
      )
      const off = { context_policy: { enable_prompt_cache: false } }
      expect((await server.put('/api/agents/a', off)).status).to.equal(200)
    })

    it('and no tool that it denies', async () => {
      const denied = { provider: 'scripted', tool_policy: { calculate: 'deny' } } as const
      await start([], { own: { config: denied } })
      expect(await refused({ config: { tool_policy: { calculate: 'allow' } } })).to.match(
        /^422 SPEC_INVALID \/config\/tool_policy\/calculate: .*only restrict/,
      )
      const sly = { config: { tool_policy: { 'calculator.calculate': 'ask' } } }
      const tried = await server.put('/api/agents/a?trial=only', sly)
      const tools = tried.json['tools'] as unknown as { tool_name: string }[]
      const calculate = tools.find(({ tool_name: name }) => name === 'calculate')
      expect(calculate).to.deep.include({
        offered: false,
        reason: 'The config of the server denies it.',
        why: { code: 'POLICY_DENIES', pointer: '/tool_policy/calculate' },
      })
      await server.put('/api/agents/a', sly)
      await server.chat('a')
      expect(server.sent[0]?.tools).to.not.include('calculate')
    })

    it('nor by what somebody else has written into the storage', async () => {
      await start()
      const stored = { owner: SPECS_OWNER, updatedAt: 0 }
      const config = { provider: 'other', settings: { scripted: { script_file: '/etc/passwd' } } }
      await storage.agents.upsert({ ...stored, id: 'sly', name: 'sly', spec: { config } })
      const rogue = { ...MODEL, provider_id: 'other' }
      const document = { ...stored, kind: 'model', name: 'rogue', content: rogue } as const
      await storage.documents.save(document)
      const spec = { model_id: 'rogue' }
      await storage.agents.upsert({ ...stored, id: 'odd', name: 'odd', spec })
      expect((await server.chat('sly')).text).to.include('SPEC_INVALID')
      expect((await server.chat('odd')).text).to.include('SPEC_INVALID')
      expect(server.sent).to.deep.equal([])
    })
  })

  it('LT-10 go on where their process ended, by the spec in the storage', async () => {
    await start()
    await server.put('/api/agents/steady', {
      ...SPEC_WITHOUT_MODEL,
      config: { on_interrupt: 'resume' },
    })
    await storage.conversations.create(
      { id: 'talk', owner: 'ada', agent: 'steady', sender: 'ada' },
      1,
    )
    const message = { role: 'user', parts: [{ type: 'text', text: 'go' }] } as const
    const order = {
      protocol: 'ui-message-stream',
      agent: 'steady',
      messageId: 'answer-1',
      createdAt: 1,
      settings: {},
      tools: [],
      asks: true,
    }
    await storage.runs.start(
      { id: 'left', owner: 'ada', conversationId: 'talk', order },
      // No process: the next server takes the run at once.
      { holder: '', expiresAt: 0 },
      { entries: [{ kind: 'message', id: 'q', message }] },
      1,
    )
    await server.close()
    await start()
    await server.served.ask('/runs/left/events')
    expect((await storage.runs.load('ada', 'left'))?.status).to.equal('done')
    expect(server.systemOf()).to.deep.equal(['You calculate.'])
    expect(server.sent[0]?.tools).to.deep.equal(['calculate'])
  })

  it('are part of an export, and no caller’s own', async () => {
    await start()
    await server.put('/api/agents/a', SPEC_WITHOUT_MODEL)
    const records: unknown[] = []
    for await (const record of storage.exportRecords()) records.push(record)
    expect(records).to.have.length(1)
    expect(records[0]).to.deep.include({ type: 'agent' })
    expect(await storage.usage('ada')).to.include({ bytes: 0 })
    expect((await storage.usage(SPECS_OWNER)).bytes).to.be.above(0)
  })

  it('are refused where they are too large', async () => {
    await start()
    const spec = { system_prompt: 'x'.repeat(2 << 20) }
    expect((await server.put('/api/agents/a', spec)).status).to.equal(413)
  })
})

const { model_id: _, ...SPEC_WITHOUT_MODEL } = SPEC

/** The plugins of such a server, for one that has more. */
async function plugins(): Promise<readonly unknown[]> {
  const server = await AgentServer.start()
  const { plugins: all } = server.served.host
  await server.close()
  return all
}
