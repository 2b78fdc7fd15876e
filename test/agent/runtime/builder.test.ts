import { expect } from 'chai'
import scripted from '../../../providers/scripted/index.ts'
import {
  type AgentRuntime,
  createRuntime,
  type RuntimeBuilder,
  type RuntimeTool,
  runtimeBuilder,
} from '../../../src/agent/index.ts'
import { declaredRuntime } from '../../../src/agent/internal.ts'
import { HostError } from '../../../src/plugin/errors.ts'
import { scriptedHost } from '../../helpers/hosts.ts'
import { feature, provider, schema, tool } from '../../helpers/plugins.ts'
import { ENDPOINT, FakeBackend } from '../backends/fake-backend.ts'

const files = tool('files', { getToolSchemas: () => [schema('read_file')] })
const MODEL = { id: 'small', provider_id: 'scripted', upstream_model: 'scripted-1' }

const look: RuntimeTool = { ...schema('look'), execute: () => 'seen' }

async function thrownBy(work: Promise<unknown>): Promise<HostError> {
  const error = await work.then(
    () => expect.fail('nothing was thrown'),
    (thrown: unknown) => thrown,
  )
  return HostError.is(error) ? error : expect.fail(String(error))
}

describe('a runtime builder', () => {
  const open: AgentRuntime[] = []
  afterEach(async () => {
    for (const runtime of open.splice(0)) await runtime.close()
  })

  async function built(builder: RuntimeBuilder): Promise<AgentRuntime> {
    const runtime = await builder.build()
    open.push(runtime)
    return runtime
  }

  it('AW-50 makes a runtime of agents, tools, models, providers and plugins', async () => {
    const script = [
      { when: { step: 1 }, then: { tool_calls: [{ name: 'look', input: {} }] } },
      { then: { text: 'It is {{result.look}}.' } },
    ]
    const runtime = await built(
      runtimeBuilder({ config: { settings: { scripted: { script, delay_ms: 0 } } } })
        .withProvider(scripted)
        .withPlugin(files)
        .withTool(look)
        .withModel(MODEL)
        .withAgent({ id: 'helper', model_id: 'small', excluded_tools: ['read_file'] }),
    )
    const { tools } = await runtime.resolve('helper')
    const offered = tools.filter((one) => one.offered).map(({ tool_name }) => tool_name)
    expect(offered).to.deep.equal(['look'])
    const { messages } = await (await runtime.run('helper', { messages: 'Go' })).result
    expect(messages.at(-1)?.parts).to.deep.equal([{ type: 'text', text: 'It is seen.' }])
  })

  describe('with remote agents', () => {
    const names = {
      'https://a.test': 'Weather Agent',
      'https://b.test': 'Weather-Agent',
      'https://c.test': '///',
    }
    const remote = (address: string) => ({ base_url: address })
    const builder = (fake = new FakeBackend({ names })) =>
      runtimeBuilder().withProvider(scripted).withBackend(fake)

    async function discovered(given: RuntimeBuilder): Promise<AgentRuntime> {
      const runtime = await given.buildAndDiscover()
      open.push(runtime)
      return runtime
    }

    it('AW-52 checks the endpoints of agents by their backend', async () => {
      const bad = { ...ENDPOINT, options: { bad: 1 } }
      const agents = builder().withAgent({ id: 'bad', endpoint: bad })
      expect(await thrownBy(agents.build())).to.include({ code: 'INVALID_REMOTE_ENDPOINT_CONFIG' })
      const none = runtimeBuilder()
        .withProvider(scripted)
        .withAgent({ id: 'far', endpoint: ENDPOINT })
      expect(await thrownBy(none.build())).to.include({ code: 'UNSUPPORTED_REMOTE_BACKEND' })
      open.push(await none.buildUnchecked())
    })

    it('AW-53 asks sources for their agents only where it is to discover', async () => {
      const given = () =>
        builder().withAgent({ id: 'own' }).withRemoteAgents('a', remote('https://a.test'))
      expect((await built(given())).agents.map(({ id }) => id)).to.deep.equal(['own'])
      const runtime = await discovered(given())
      expect(runtime.agents.map(({ id }) => id)).to.deep.equal(['own', 'a/Weather-Agent'])
      expect(runtime.agents[1]).to.deep.include({ description: 'At https://a.test' })
      const stream = await runtime.run('a/Weather-Agent', { messages: 'Hi' })
      expect((await stream.result).messages[0]?.parts).to.deep.equal([{ type: 'text', text: 'Hi' }])
    })

    it('AW-53 tells all sources that cannot be asked', async () => {
      const error = await thrownBy(
        builder()
          .withRemoteAgents('gone', remote('https://gone.test'))
          .withRemoteAgents('a', remote('https://a.test'))
          .withRemoteAgents('c', remote('https://c.test'))
          .withRemoteAgents('d', remote('ftp://d.test'))
          .withRemoteAgents('e', { ...remote('https://a.test'), backend: 'mcp' })
          .buildAndDiscover(),
      )
      expect(error.code).to.equal('REMOTE_AGENT_FAILED')
      expect(error.message).to.match(/^The source "gone"/)
      for (const [source, what] of [
        ['c', 'has an agent that is not valid at /id'],
        ['d', 'must be an http or https URL'],
        ['e', 'needs the backend "mcp"'],
      ]) {
        expect(error.message).to.match(new RegExp(`The source "${source}".*${what}`))
      }
      const twice = builder()
        .withRemoteAgents('a', remote('https://a.test'))
        .withRemoteAgents('a', remote('https://b.test'))
      expect((await thrownBy(twice.buildAndDiscover())).message).to.include('two sources "a"')
      const backends = builder().withBackend(new FakeBackend())
      expect((await thrownBy(backends.build())).message).to.include('two backends "a2a"')
    })

    it('AW-54 means by a plain id a local agent, then the first source, and says so where there are more', async () => {
      const fake = new FakeBackend({ names })
      const given = builder(fake)
        .withRemoteAgents('b', remote('https://b.test'))
        .withRemoteAgents('a', remote('https://a.test'))
      const runtime = await discovered(given)
      const run = async (id: string) => (await runtime.run(id, { messages: 'Hi' })).result
      const plain = await run('Weather-Agent')
      expect(fake.created.at(-1)?.base_url).to.equal('https://b.test')
      expect(plain.warnings).to.deep.equal([
        'The id "Weather-Agent" means "b/Weather-Agent"; there is "a/Weather-Agent" too.',
      ])
      const exact = await run('a/Weather-Agent')
      expect(fake.created.at(-1)?.base_url).to.equal('https://a.test')
      expect(exact.warnings).to.deep.equal([])
      const local = await discovered(given.withAgent({ id: 'Weather-Agent' }))
      expect((await local.resolve('Weather-Agent')).spec.id).to.equal('Weather-Agent')
      expect((await thrownBy(runtime.run('Agent', { messages: 'Hi' }))).code).to.equal(
        'AGENT_NOT_FOUND',
      )
    })
  })

  it('AW-51 collects duplicates, and reports the first with all others', async () => {
    const builder = () =>
      runtimeBuilder()
        .withProvider(scripted)
        .withProvider(scripted)
        .withTool(look)
        .withTool(look)
        .withModel(MODEL)
        .withModel(MODEL)
        .withAgent({ id: 'a' })
        .withAgent({ id: 'a' })
        .withHook({ name: 'h' })
        .withHook({ name: 'h' })
    for (const way of ['build', 'buildUnchecked'] as const) {
      const error = await thrownBy(builder()[way]())
      expect(error.code).to.equal('OPTION_INVALID')
      expect(error.message.split('\n')).to.deep.equal([
        'There are two plugins "scripted". Rename or remove one.',
        '',
        'There are 4 more faults:',
        '- There are two environment hooks "h". Rename or remove one.',
        '- There are two tools "look". Rename or remove one.',
        '- There are two specs of the model "small". Rename or remove one.',
        '- There are two specs of the agent "a". Rename or remove one.',
      ])
      const { errors } = error.cause as AggregateError
      expect(errors.map(({ code }: HostError) => code)).to.deep.equal([
        'OPTION_INVALID',
        'OPTION_INVALID',
        'TOOL_ID_CONFLICT',
        'SPEC_INVALID',
        'SPEC_INVALID',
      ])
    }
  })

  it('AW-51 reports specs that are not valid with the duplicates', async () => {
    const bad = runtimeBuilder()
      .withProvider(scripted)
      .withAgent({ id: 'a', max_rounds: 0 })
      .withTool({ ...schema('look') } as unknown as RuntimeTool)
      .withProvider(feature('no-provider'))
    const { message, code } = await thrownBy(bad.buildUnchecked())
    expect(code).to.equal('OPTION_INVALID')
    expect(message)
      .to.match(/^The plugin "no-provider" is no provider\./)
      .and.include('The agent "a" is not valid at /max_rounds')
      .and.include('The tool "look" has no "execute"')
  })

  it('AW-52 resolves every agent on trial, and reports all failures sorted by id', async () => {
    let closed = 0
    const closing = { ...provider('scripted'), close: () => void closed++ }
    const builder = () =>
      runtimeBuilder()
        .withProvider(closing)
        .withAgent({ id: 'b', model_id: 'gone' })
        .withAgent({ id: 'fine' })
        .withAgent({ id: 'a', plugin_ids: ['missing'] })
    const error = await thrownBy(builder().build())
    expect(error.code).to.equal('PLUGIN_NOT_FOUND')
    const [first, , , second] = error.message.split('\n')
    expect(first).to.match(/^The agent "a" refers to the plugin "missing"/)
    expect(second).to.match(/^- .*The agent "b"/)
    expect((error.cause as AggregateError).errors).to.have.length(2)
    expect(closed, 'the host was closed').to.equal(1)
    const runtime = await builder().buildUnchecked()
    open.push(runtime)
    expect((await runtime.check()).map(({ agent }) => agent)).to.deep.equal(['a', 'b'])
  })

  it('AW-50 takes a host that exists, but no plugins for it, and leaves it open', async () => {
    const host = await scriptedHost()
    const runtime = await runtimeBuilder({ host }).withAgent({ id: 'a' }).build()
    await runtime.close()
    expect((await (await runtime.run('a', { messages: 'Go' })).result).status).to.equal('done')
    const error = await thrownBy(runtimeBuilder({ host }).withPlugin(files).build())
    expect(error.message).to.equal(
      'The plugin "files" cannot be added to a host that exists. Give it to "createHost".',
    )
    await host.close()
  })

  it('AW-50 is what config files feed too', async () => {
    const host = await scriptedHost()
    const { runtime, faults } = await declaredRuntime(host, {
      models: { small: { provider_id: 'scripted', upstream_model: 'scripted-1' }, big: {} },
      agents: { a: { model_id: 'small' }, b: { id: 'c' } },
      texts: [{ path: 'agents/d.md', text: '---\nmax_rounds: 1\n---\n' }],
    })
    expect(runtime.agents.map(({ id }) => id)).to.deep.equal(['a', 'd'])
    expect(faults.map(({ pointer }) => pointer)).to.deep.equal([
      '/models/big/provider_id',
      '/agents/b/id',
    ])
    await host.close()
  })

  it('runs no agent that a config and a file declare, and names both places', async () => {
    const host = await scriptedHost()
    const texts = [
      { path: 'agents/a.md', text: '---\nallowed_tools: []\n---\n' },
      { path: 'agents/b.md', text: '---\nmax_round: 1\n---\n' },
      { path: 'agents/c.md', text: '' },
    ]
    const agents = { a: {}, b: {}, d: {} }
    const { runtime, faults } = await declaredRuntime(host, { agents, texts })
    expect(runtime.agents.map(({ id }) => id)).to.deep.equal(['d', 'c'])
    expect(faults.map(({ code, pointer }) => [code, pointer])).to.deep.equal([
      ['SPEC_INVALID', '/max_round'],
      ['SPEC_INVALID', '/agents/a'],
      ['SPEC_INVALID', '/agents/b'],
    ])
    const placeOf = (pointer: string) => `braidwork.json of ${pointer}`
    const placed = await declaredRuntime(host, { agents: { a: {} }, texts, placeOf })
    expect([faults[1]?.message, placed.faults[1]?.message]).to.deep.equal([
      'The agent "a" is declared twice: in the config and in "agents/a.md". Rename or remove one of them.',
      'The agent "a" is declared twice: in "braidwork.json of /agents/a" and in "agents/a.md". Rename or remove one of them.',
    ])
    await host.close()
  })

  it('does not run the agent of a file where a later file of it is not valid', async () => {
    const host = await scriptedHost()
    const texts = [
      { path: 'own/a.md', text: 'Greet.' },
      { path: 'project/a.md', text: '---\nallowed_tool: []\n---\nGreet.' },
      { path: 'own/b.md', text: '---\nallowed_tool: []\n---\nGreet.' },
      { path: 'project/b.md', text: 'Greet.' },
      { path: 'own/c.md', text: 'Greet.' },
      { path: 'project/c.json', text: '{' },
      { path: 'project/c.md', text: 'Greet.' },
    ]
    const { runtime } = await declaredRuntime(host, { texts })
    expect(runtime.agents.map(({ id }) => id)).to.deep.equal(['b'])
    await host.close()
  })

  it('fills in the variables that agents and models of a config refer to, but no prompt', async () => {
    const word = '${env:BRAIDWORK_TEST_WORD}'
    process.env['BRAIDWORK_TEST_WORD'] = 'low'
    const host = await scriptedHost()
    try {
      const { runtime, faults } = await declaredRuntime(host, {
        models: { m: { provider_id: 'scripted', upstream_model: word } },
        agents: { a: { reasoning_effort: word, system_prompt: word, description: word } },
        texts: [
          {
            path: 'agents/b.md',
            text: `---\nreasoning_effort: "${word}"\nconfig: { on_interrupt: "${word}" }\n---\n`,
          },
          {
            path: 'agents/c.md',
            text: `---\nreasoning_effort: "${word}"\nconfig: { reasoning_effort: "${word}" }\n---\n${word}`,
          },
          { path: 'agents/d.json', text: '{"reasoning_effort": "${env:BRAIDWORK_NO_SUCH_KEY}"}' },
        ],
      })
      expect(runtime.agents).to.deep.equal([
        { id: 'a', reasoning_effort: 'low', system_prompt: word, description: word },
        {
          id: 'c',
          reasoning_effort: 'low',
          config: { reasoning_effort: 'low' },
          system_prompt: word,
        },
      ])
      const [wrong = '', unset = ''] = faults.map(({ message }) => message)
      expect(wrong).to.match(
        /\/config\/on_interrupt.*; the value comes from the environment variable "BRAIDWORK_TEST_WORD"\.$/,
      )
      expect(unset).to.include('the environment variable "BRAIDWORK_NO_SUCH_KEY", which is not set')
      expect(faults).to.have.length(2)
      expect(runtime.models).to.have.nested.property('[0].upstream_model', 'low')
    } finally {
      delete process.env['BRAIDWORK_TEST_WORD']
      await host.close()
    }
  })

  it('does not run an agent that refers to a variable that is not set', async () => {
    const key = '${env:BRAIDWORK_NO_SUCH_KEY}'
    const host = await scriptedHost()
    const { runtime, faults } = await declaredRuntime(host, {
      agents: {
        a: { config: { settings: { scripted: { api_key: key } } } },
        far: { endpoint: { ...ENDPOINT, auth: { type: 'bearer', token: key } } },
        said: { system_prompt: key },
      },
      texts: [{ path: 'agents/b.md', text: `---\nconfig: { stop: ["${key}"] }\n---\n` }],
    })
    expect(runtime.agents).to.deep.equal([{ id: 'said', system_prompt: key }])
    expect(faults.map(({ code, pointer }) => [code, pointer])).to.deep.equal([
      ['ENV_MISSING', '/agents/a/config/settings/scripted/api_key'],
      ['ENV_MISSING', '/agents/far/endpoint/auth/token'],
      ['ENV_MISSING', '/config/stop/0'],
    ])
    expect(faults.map(({ message }) => message)).to.deep.equal([
      'The agent "a" at /config/settings/scripted/api_key refers to the environment variable "BRAIDWORK_NO_SUCH_KEY", which is not set.',
      'The agent "far" at /endpoint/auth/token refers to the environment variable "BRAIDWORK_NO_SUCH_KEY", which is not set.',
      'The agent "b" in "agents/b.md" at /config/stop/0 refers to the environment variable "BRAIDWORK_NO_SUCH_KEY", which is not set.',
    ])
    await host.close()
  })

  it('closes the host that it made, with the runtime and where that cannot be built', async () => {
    let closed = 0
    const closing = { ...provider('scripted'), close: () => void closed++ }
    const builder = runtimeBuilder().withProvider(closing)
    await (await builder.build()).close()
    expect(closed).to.equal(1)
    await thrownBy(builder.withAgent({ id: '' }).build())
    expect(closed).to.equal(2)
  })

  it('says that a runtime needs a host where untyped code gives none', async () => {
    const error = await thrownBy(createRuntime({ agents: [{ id: 'a' }] } as never))
    expect(error).to.include({ code: 'OPTION_INVALID', pointer: '/host' })
  })

  it('says what is wrong with options of untyped code', async () => {
    const host = await scriptedHost()
    const faults = [
      [{ agents: { helper: {} } }, '/agents', "[{ id: 'helper' }]"],
      [{ agent: [] }, '/agent', 'Did you mean "agents"?'],
      [
        { hooks: [{ name: 'orders', schem: () => [] }] },
        '/schem',
        '"orders" has no option "schem"',
      ],
    ] as const
    for (const [options, pointer, told] of faults) {
      const error = await thrownBy(createRuntime({ host, ...options } as never))
      expect(error).to.include({ code: 'OPTION_INVALID', pointer })
      expect(error.message).to.include(told)
    }
    await host.close()
  })

  it('AW-55 has a runtime to which tools may be added, which the next run sees', async () => {
    const runtime = await built(runtimeBuilder().withProvider(scripted).withAgent({ id: 'a' }))
    const named = async () => (await runtime.resolve('a')).tools.map(({ tool_name }) => tool_name)
    expect(await named()).not.to.include('look')
    runtime.addTool(look)
    runtime.addTool({ ...look, name: 'listen' })
    expect(await named()).to.include.members(['look', 'listen'])
    expect(() => runtime.addTool(look)).to.throw('There are two tools "look"')
  })
})
