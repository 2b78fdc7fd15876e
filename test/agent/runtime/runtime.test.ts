import { expect } from 'chai'
import {
  type AgentRuntime,
  type AgentSpec,
  createRuntime,
  type ModelSpec,
} from '../../../src/agent/index.ts'
import type { Host } from '../../../src/core/host/index.ts'
import { HostError } from '../../../src/plugin/errors.ts'
import { type RunEvent, textOf } from '../../../src/plugin/events/index.ts'
import { collect, scriptedHost, textProvider } from '../../helpers/hosts.ts'
import { extension, feature, schema, tool } from '../../helpers/plugins.ts'

const MODEL: ModelSpec = { id: 'small', provider_id: 'scripted', upstream_model: 'scripted-mini' }

const files = tool('files', {
  getToolSchemas: () => [schema('read_file'), schema('write_file')],
  executeTool: ({ name }: { readonly name: string }) => `${name} ran`,
})
const off = feature('careful', { defaultEnabled: false })

const codeOf = async (work: Promise<unknown>): Promise<string> => {
  const thrown = await work.then(
    () => expect.fail('it was not refused'),
    (error: unknown) => error,
  )
  return HostError.is(thrown) ? `${thrown.code}: ${thrown.message}` : String(thrown)
}

describe('an agent runtime', () => {
  let host: Host
  beforeEach(async () => {
    host = await scriptedHost([files, off], { model: 'scripted-mini' })
  })
  afterEach(() => host.close())

  const runtimeOf = (agents: readonly AgentSpec[], models = [MODEL]): Promise<AgentRuntime> =>
    createRuntime({ host, agents, models })

  async function eventsOf(runtime: AgentRuntime, id: string, script: object[] = []) {
    const own = { settings: { scripted: { script } } }
    const spec = runtime.agents.find((one) => one.id === id) ?? expect.fail('no such agent')
    const scripted = await runtimeOf([{ ...spec, config: own }])
    return collect(await scripted.run(id, { messages: 'go' }))
  }

  it('AW-01 resolves an agent to its model, plugins and tools', async () => {
    const runtime = await runtimeOf([
      { id: 'a', model_id: 'small', plugin_ids: ['careful'], allowed_tools: ['read_file'] },
    ])
    const agent = await runtime.resolve('a')
    expect(agent.model).to.deep.equal(MODEL)
    expect(agent.resolution).to.include({ provider: 'scripted', model: 'scripted-mini' })
    expect(agent.resolution.enabled.features).to.include('careful')
    expect(
      agent.tools.filter(({ offered }) => offered).map(({ tool_name }) => tool_name),
    ).to.deep.equal(['read_file'])
    expect(agent.warnings).to.deep.equal([])
    expect(Object.isFrozen(agent)).to.equal(true)
  })

  it('AW-01 fails in its first stage where a model refers to no provider', async () => {
    const models = [{ ...MODEL, provider_id: 'script' }]
    const runtime = await runtimeOf([{ id: 'a', model_id: 'small' }], models)
    expect(await codeOf(runtime.resolve('a'))).to.match(/^PROVIDER_NOT_FOUND/)
  })

  it('AW-45 turns on prompt caching where the provider has it, and does nothing elsewhere', async () => {
    const marking = extension('prompt-cache', {
      requires: ['prompt-caching'],
      defaultEnabled: false,
    })
    const caching = { ...textProvider('hi', { tags: ['text', 'prompt-caching'] }), name: 'caching' }
    const models = [MODEL, { id: 'cached', provider_id: 'caching', upstream_model: 'm' }]
    await using able = await scriptedHost([caching, marking])
    const extensionsOf = async (on: Host, spec: Partial<AgentSpec>) => {
      const runtime = await createRuntime({ host: on, agents: [{ id: 'a', ...spec }], models })
      const { resolution, warnings } = await runtime.resolve('a')
      expect(warnings).to.deep.equal([])
      return resolution.enabled.extensions
    }
    const cached = { model_id: 'cached' }
    expect(await extensionsOf(able, cached)).to.deep.equal([])
    expect(await extensionsOf(able, { ...cached, context_policy: {} })).to.deep.equal([
      'prompt-cache',
    ])
    const off = { enable_prompt_cache: false }
    expect(await extensionsOf(able, { ...cached, context_policy: off })).to.deep.equal([])
    const on = { context_policy: { enable_prompt_cache: true } }
    expect(await extensionsOf(able, { model_id: 'small', ...on })).to.deep.equal([])
    await using unable = await scriptedHost([caching])
    expect(await extensionsOf(unable, { ...cached, ...on })).to.deep.equal([])
  })

  it('AW-14 returns nothing in part: each stage has its errors', async () => {
    const resolved = async (spec: Partial<AgentSpec>, models = [MODEL]) =>
      codeOf((await runtimeOf([{ id: 'a', ...spec }], models)).resolve('a'))
    expect(await codeOf((await runtimeOf([{ id: 'search' }])).resolve('serch'))).to.match(
      /^AGENT_NOT_FOUND: .*Did you mean "search"\?/,
    )
    const alone = await resolved({ delegates: ['b'] })
    expect(alone).to.match(/^AGENT_NOT_FOUND: .*The known ones are a\.$/)
    const led = await resolved({ team: { leader: 'a', members: ['b'] } })
    expect(led).to.match(/^AGENT_NOT_FOUND: .*The known ones are a\.$/)
    expect(await resolved({ model_id: 'smal' })).to.match(
      /^MODEL_NOT_FOUND: .*The agent "a" refers to it.*Did you mean "small"\?/,
    )
    expect(
      await resolved({ model_id: 'x' }, [{ ...MODEL, id: 'x', provider_id: 'script' }]),
    ).to.match(/^PROVIDER_NOT_FOUND: The model "x" refers to the provider "script"/)
    expect(await resolved({ plugin_ids: ['carefull'] })).to.match(
      /^PLUGIN_NOT_FOUND: The agent "a" refers to the plugin "carefull".*Did you mean "careful"\?/,
    )
    expect(await resolved({ config: { settings: { scripted: { delay_ms: 'x' } } } })).to.match(
      /^SETTINGS_INVALID/,
    )
    await using twice = await scriptedHost([files, { ...files, name: 'more' }])
    const conflict = await createRuntime({ host: twice, agents: [{ id: 'a' }] })
    expect(await codeOf(conflict.resolve('a'))).to.match(
      /^TOOL_ID_CONFLICT: The agent "a": .*"read_file".*"files".*"more"/,
    )
  })

  it('AW-02 resolves anew for each run', async () => {
    const runtime = await runtimeOf([{ id: 'a', model_id: 'small' }])
    const [first, second] = [await runtime.resolve('a'), await runtime.resolve('a')]
    expect(first).to.not.equal(second)
    expect(first.tools).to.not.equal(second.tools)
  })

  it('AW-02 gives a resolved agent that nobody can change, nor its spec', async () => {
    const spec = { id: 'a', allowed_tools: ['read_file'], config: { tool_names: {} } }
    const { reasonAgainst: _, ...data } = await (await runtimeOf([spec])).resolve('a')
    const loose: string[] = []
    const look = (value: unknown, place: string): void => {
      if (typeof value !== 'object' || value === null) return
      if (!Object.isFrozen(value)) loose.push(place)
      for (const [key, inner] of Object.entries(value)) look(inner, `${place}/${key}`)
    }
    look({ ...data, hookTools: [] }, '')
    expect(loose).to.deep.equal(['', '/hookTools'])
    spec.allowed_tools.push('write_file')
    expect(data.spec.allowed_tools).to.deep.equal(['read_file'])
  })

  it('AW-55 sees in the next run what was added', async () => {
    const runtime = await runtimeOf([{ id: 'a', model_id: 'later' }])
    expect(await codeOf(runtime.resolve('a'))).to.match(/^MODEL_NOT_FOUND/)
    await runtime.addModel({ ...MODEL, id: 'later' })
    expect((await runtime.resolve('a')).model?.id).to.equal('later')
    await runtime.addAgent({ id: 'b' })
    expect((await runtime.resolve('b')).spec).to.deep.equal({ id: 'b' })
    expect(await codeOf(runtime.addAgent({ id: 'b' }))).to.match(/^SPEC_INVALID: .*two specs/)
  })

  it('keeps its own copy of a spec', async () => {
    const spec = { id: 'a', plugin_ids: ['careful'] }
    const runtime = await runtimeOf([spec])
    spec.plugin_ids.push('none')
    expect((await runtime.resolve('a')).spec.plugin_ids).to.deep.equal(['careful'])
  })

  it('AW-15 resolves without changing a registry', async () => {
    const runtime = await runtimeOf([{ id: 'a', model_id: 'small', plugin_ids: ['careful'] }])
    const before = JSON.stringify([runtime.agents, runtime.models, host.config])
    await runtime.resolve('a')
    expect(JSON.stringify([runtime.agents, runtime.models, host.config])).to.equal(before)
  })

  it('AW-11 offers the model only the tools of its catalog, and refuses calls of the others', async () => {
    const runtime = await runtimeOf([{ id: 'a', excluded_tools: ['files.write_file'] }])
    const script = [
      {
        when: { step: 1 },
        then: {
          tool_calls: [
            { name: 'write_file', input: {} },
            { name: 'read_file', input: {} },
          ],
        },
      },
      { then: { text: 'Done.' } },
    ]
    const spec = {
      id: 'a',
      excluded_tools: ['files.write_file'],
      config: { settings: { scripted: { script } } },
    }
    const events = await collect(await (await runtimeOf([spec])).run('a', { messages: 'go' }))
    expect(runtime.agents).to.have.length(1)
    const ends = events.filter((event) => event.type === 'tool-execution-end')
    expect(ends.map(({ state, error }) => [state, error?.class])).to.deep.equal([
      ['denied', 'permission_denied'],
      ['succeeded', undefined],
    ])
    expect(ends[0]?.result.output).to.match(/^Tool not available: write_file\..*excludes it/)
    const inventory = events.find((event) => event.type === 'tool-inventory')
    const [write] = inventory?.tools.filter(({ tool_name }) => tool_name === 'write_file') ?? []
    expect(write).to.include({ offered: false, policy: 'unavailable' })
    expect(write?.reason).to.equal('the catalog of the agent excludes it: files.write_file')
    expect(write?.why).to.deep.equal({ code: 'TOOL_EXCLUDED', entry: 'files.write_file' })
  })

  it('gives its prompt to the model, before the messages', async () => {
    const seen: unknown[] = []
    const watcher = {
      ...feature('watcher'),
      editMessages: (messages: readonly unknown[]) => {
        seen.push(messages)
        return messages
      },
    }
    await using own = await scriptedHost([watcher])
    const runtime = await createRuntime({
      host: own,
      agents: [{ id: 'a', system_prompt: 'Be brief.' }],
    })
    const result = await (await runtime.run('a', { messages: 'go' })).result
    expect(result.status).to.equal('done')
    expect(seen[0]).to.deep.equal([
      { role: 'system', parts: [{ type: 'text', text: 'Be brief.' }] },
      { role: 'user', parts: [{ type: 'text', text: 'go' }] },
    ])
    expect(result.messages.map(({ role }) => role)).to.deep.equal(['assistant'])
  })

  it('AW-65 tells which tools do not act, and why', async () => {
    const runtime = await runtimeOf([{ id: 'a', active_hook_filter: [] }])
    const { tools } = await runtime.resolve('a')
    const own = tools.find(({ plugin }) => plugin === 'files')
    expect(own).to.include({
      offered: false,
      reason: 'its plugin is not among those that act',
    })
    expect(own?.why).to.deep.equal({ code: 'PLUGIN_INACTIVE' })
    const { warnings } = await (await runtime.run('a', { messages: 'go' })).result
    expect(warnings.filter((warning) => warning.includes('files'))).to.deep.equal([])
  })

  it('AW-04 plans a run with the facts of the model of a pool that fits', async () => {
    const large = { ...MODEL, id: 'large', context_window: 90_000 }
    const pool = { id: 'any', candidates: ['small', 'large'], requires: { context_window: 50_000 } }
    const small = { ...MODEL, context_window: 1000 }
    const agents = [{ id: 'a', model_id: 'any' }]
    const runtime = await createRuntime({ host, agents, models: [small, large, pool] })
    const { routing, modelInfo } = await runtime.plan('a')
    expect(routing?.candidates.map(({ choice }) => choice.id)).to.deep.equal(['large'])
    expect(modelInfo).to.deep.equal({ contextWindow: 90_000 })
  })

  it('AW-36 warns of a permission for a tool that the catalog leaves out, and follows the others', async () => {
    const rules = [
      { tool: 'write_file', decision: 'ask' },
      { tool: 'read_file', decision: 'deny' },
    ]
    const spec = { id: 'a', excluded_tools: ['write_file'], sections: { permission: { rules } } }
    const { warnings, tools } = await (await runtimeOf([spec])).resolve('a')
    expect(warnings.map(({ code, entry }) => [code, entry])).to.deep.equal([
      ['PERMISSION_UNUSED', 'write_file'],
    ])
    const read = tools.find(({ tool_name: name }) => name === 'read_file')
    expect(read).to.include({ offered: false, policy: 'denied' })
    const wrong = {
      id: 'b',
      sections: { permission: { rules: [{ tool: 'x', decision: 'maybe' }] } },
    }
    expect(await codeOf((await runtimeOf([wrong])).resolve('b'))).to.include(
      'INVALID_PLUGIN_CONFIG',
    )
  })

  it('AW-36 warns of rules for tools that there are not: the tool that is meant runs', async () => {
    const rules = [
      { tool: 'read_*', decision: 'ask' },
      { tool: 'write_fil', decision: 'deny' },
      { tool: 'files.read_file', decision: 'ask' },
    ]
    const config = { tool_policy: { bash: 'deny', write_file: 'ask' } } as const
    const spec = { id: 'a', config, sections: { permission: { rules } } }
    const { warnings } = await (await runtimeOf([spec])).resolve('a')
    expect(warnings.map(({ code, field, entry }) => [code, field, entry])).to.deep.equal([
      ['POLICY_UNUSED', 'sections', 'read_*'],
      ['POLICY_UNUSED', 'sections', 'write_fil'],
      ['POLICY_UNUSED', 'config', 'bash'],
    ])
    expect(warnings[0]?.message).to.include('"*" is an ordinary character here')
    expect(warnings[1]?.message).to.include('Did you mean "write_file"?')
  })

  it('AW-65 refuses a plugin among those that act that is not registered', async () => {
    const runtime = await runtimeOf([{ id: 'a', active_hook_filter: ['file'] }])
    for (const refused of [runtime.resolve('a'), runtime.run('a', { messages: 'go' })]) {
      const error = await refused.then(
        () => undefined,
        (thrown: unknown) => thrown,
      )
      expect(error).to.include({ code: 'PLUGIN_NOT_FOUND', pointer: '/active_hook_filter' })
      expect(String(error)).to.include('Did you mean "files"?')
    }
  })

  it('opens the config of a run once, and ends the run by what is wrong with it', async () => {
    let asked = 0
    const counting = tool('counting', {
      getToolSchemas: () => {
        asked++
        return [schema('count')]
      },
    })
    await using own = await scriptedHost([counting])
    const runtime = await createRuntime({
      host: own,
      agents: [
        { id: 'a', system_prompt: 'Be brief.' },
        { id: 'b', config: { settings: { scripted: { delay_ms: 'x' } } } },
      ],
    })
    expect((await (await runtime.run('a', { messages: 'go' })).result).status).to.equal('done')
    expect(asked).to.equal(1)
    const failed = await (await runtime.run('b', { messages: 'go' })).result
    expect(failed.error).to.include({ code: 'SETTINGS_INVALID' })
    const empty = await (await runtime.run('a', { messages: [] })).result
    expect(empty.error).to.include({ code: 'MESSAGES_INVALID' })
  })

  it('ends after as many steps as its spec says', async () => {
    const script = [{ then: { tool_calls: [{ name: 'read_file', input: {} }] } }]
    const steps = async (more: Partial<AgentSpec>) => {
      const config = { settings: { scripted: { script } }, ...more.config }
      const runtime = await runtimeOf([{ id: 'a', ...more, config }])
      const { limits } = await runtime.resolve('a')
      const result = await (await runtime.run('a', { messages: 'go' })).result
      return [result.steps, limits.max_rounds]
    }
    expect(await steps({ max_rounds: 2 })).to.deep.equal([2, { value: 2, source: 'agent' }])
    expect(await steps({})).to.deep.equal([16, { value: 16, source: 'default' }])
    expect(await steps({ config: { limits: { max_rounds: 3 } } })).to.deep.equal([
      3,
      { value: 3, source: 'agent' },
    ])
  })

  it('takes the facts of a model from its spec before those of the provider', async () => {
    const seen: unknown[] = []
    const watcher = {
      ...feature('watcher'),
      editMessages: (
        messages: readonly unknown[],
        _: unknown,
        { modelInfo }: { modelInfo: unknown },
      ) => {
        seen.push(modelInfo)
        return messages
      },
    }
    await using own = await scriptedHost([watcher])
    const models = [{ ...MODEL, context_window: 123 }]
    const runtime = await createRuntime({
      host: own,
      agents: [{ id: 'a', model_id: 'small' }],
      models,
    })
    expect((await runtime.resolve('a')).modelInfo).to.include({ contextWindow: 123 })
    await (await runtime.run('a', { messages: 'go' })).result
    expect(seen[0]).to.include({ contextWindow: 123 })
  })

  it('AW-37 warns, and runs nevertheless', async () => {
    const runtime = await runtimeOf([
      {
        id: 'a',
        plugin_ids: ['careful'],
        excluded_tools: ['read*'],
        config: { disabled_plugins: ['careful'] },
      },
    ])
    const { warnings } = await runtime.resolve('a')
    expect(
      warnings.map(({ code, agent, field, entry }) => [code, agent, field, entry]),
    ).to.deep.equal([
      ['PLUGIN_OFF', 'a', 'plugin_ids', 'careful'],
      ['CATALOG_STAR_IN_LITERAL', 'a', 'excluded_tools', 'read*'],
    ])
    expect((await (await runtime.run('a', { messages: 'go' })).result).status).to.equal('done')
  })

  it('AW-37 tells each of 200 warnings once, in the order of the spec, and runs nevertheless', async () => {
    const entries = Array.from({ length: 50 }, (_, at) => `tool_${at}`)
    const spec = {
      id: 'a',
      allowed_tools: entries,
      allowed_tool_patterns: entries.map((entry) => `${entry}*`),
      excluded_tools: entries.map((entry) => `${entry}*`),
      excluded_tool_patterns: entries.map((entry) => `Bash(${entry})`),
    }
    const runtime = await runtimeOf([spec])
    const { warnings, tools } = await runtime.resolve('a')
    const told = warnings.map(({ field, entry }) => `${field} ${entry}`)
    const fields = [
      'allowed_tools',
      'excluded_tools',
      'allowed_tool_patterns',
      'excluded_tool_patterns',
    ]
    const expected = fields.flatMap((field) =>
      spec[field as keyof Omit<typeof spec, 'id'>].map((entry) => `${field} ${entry}`),
    )
    expect(told).to.have.length(200)
    expect(told).to.have.members(expected)
    expect(tools.every(({ reason }) => reason !== undefined)).to.equal(true)
    expect((await (await runtime.run('a', { messages: 'go' })).result).status).to.equal('done')
  })

  it('AW-52 tries every agent, and tells the failures sorted by id', async () => {
    const runtime = await runtimeOf([
      { id: 'z', model_id: 'none' },
      { id: 'good' },
      { id: 'b', plugin_ids: ['none'] },
    ])
    const faults = await runtime.check()
    expect(faults.map(({ agent, error }) => [agent, error.code])).to.deep.equal([
      ['b', 'PLUGIN_NOT_FOUND'],
      ['z', 'MODEL_NOT_FOUND'],
    ])
  })

  it('refuses a spec that is not valid, when it is added', async () => {
    const wrong = { id: 'a', plugins: ['x'] } as never
    expect(await codeOf(runtimeOf([wrong]))).to.match(/^SPEC_INVALID: The agent "a" is not valid/)
    const model = { ...MODEL, context_window: 0 }
    expect(await codeOf(runtimeOf([], [model]))).to.match(/^SPEC_INVALID: The model "small"/)
  })

  it('is the same engine, read or waited for', async () => {
    const runtime = await runtimeOf([{ id: 'a', model_id: 'small' }])
    const events = await eventsOf(runtime, 'a', [{ then: { text: 'Hello there.' } }])
    const last = events.at(-1) as Extract<RunEvent, { readonly type: 'finish' }>
    const spec = {
      id: 'a',
      config: { settings: { scripted: { script: [{ then: { text: 'Hello there.' } }] } } },
    }
    const result = await (await (await runtimeOf([spec])).run('a', { messages: 'go' })).result
    expect(last.messages.map(textOf)).to.deep.equal(result.messages.map(textOf))
  })
})
