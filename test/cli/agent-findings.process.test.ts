import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { sharedCommand } from './shared-command.ts'

const features = ['instructions', 'structured-output'].map((name) =>
  fileURLToPath(new URL(`../../features/${name}`, import.meta.url)),
)

describe('what checks tell of declared agents', function () {
  this.timeout(30_000)
  let folder: string
  beforeEach(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), 'braidwork-')))
    await mkdir(join(folder, 'agents'))
  })
  afterEach(() => rm(folder, { recursive: true }))

  const command = sharedCommand()
  const ask = async (config: object, ...args: readonly string[]) => {
    await writeFile(
      join(folder, 'braidwork.json'),
      JSON.stringify({ plugins: features, ...config }),
    )
    return command([...args, '--config', 'braidwork.json'], { cwd: folder })
  }
  const CHECKS = [
    ['agents', 'check'],
    ['config', 'check'],
  ]

  const FAULTS = [
    {
      fault: 'a schema for the answer that is not valid',
      agent: {
        plugin_ids: ['structured-output'],
        config: { response_format: { type: 'json-schema', schema: { type: 'objct' } } },
      },
      told: /error CONFIG_INVALID: Agent "odd": .*\/type must be one of .*braidwork\.json:1:\d+/,
    },
    {
      fault: 'a missing file of instructions',
      agent: {
        plugin_ids: ['instructions'],
        config: { settings: { instructions: { files: ['nope.md'] } } },
      },
      told: /error SETTINGS_INVALID: Agent "odd": .*"nope\.md" does not exist.*braidwork\.json:1:/,
    },
    {
      fault: 'a missing script',
      agent: { config: { settings: { scripted: { script_file: 'nope.json' } } } },
      told: /error SETTINGS_INVALID: Agent "odd": .*"nope\.json" cannot be read/,
    },
    {
      fault: 'an unknown key of its config',
      agent: { config: { temprature: 1 } },
      told: /warning CONFIG_KEY_UNKNOWN: Agent "odd": .*Did you mean "temperature"\?/,
    },
    {
      fault: 'a model that its provider does not offer',
      agent: { model_id: 'nine' },
      models: { nine: { provider_id: 'scripted', upstream_model: 'scripted-9' } },
      told: /warning MODEL_NOT_OFFERED: Agent "odd": Model "scripted-9"/,
    },
    {
      fault: 'an agent that is its own delegate',
      agent: { delegates: ['odd'] },
      told: /warning DELEGATE_ITSELF: Agent "odd", delegates: /,
    },
  ]
  for (const { fault, agent, models = {}, told } of FAULTS) {
    it(`tells of ${fault}, in both checks and in the explanation`, async () => {
      const config = { models, agents: { odd: agent, fine: {} } }
      const isError = told.source.startsWith('error')
      for (const check of CHECKS) {
        const { status, err } = await ask(config, ...check)
        expect(err.match(new RegExp(told, 'g')), check.join(' ')).to.have.length(1)
        expect([status, err.trim().split('\n').length]).to.deep.equal([isError ? 2 : 0, 1])
      }
      expect((await ask(config, 'agents', 'explain', 'odd')).err).to.match(told)
      expect((await ask(config, 'agents', 'explain', 'fine')).err).to.equal('')
    })
  }

  it('tells of a model of an unknown provider that no agent refers to', async () => {
    const models = { lost: { provider_id: 'scriptd', upstream_model: 'scripted-1' } }
    for (const check of CHECKS) {
      const { status, err } = await ask({ models, agents: { fine: {} } }, ...check)
      expect(status).to.equal(2)
      expect(err).to.match(/PROVIDER_NOT_FOUND: The model "lost".*Did you mean "scripted"\?/)
    }
  })

  it('tells of a model of an unknown provider once, with the agents that refer to it', async () => {
    const model = { provider_id: 'scriptd', upstream_model: 'scripted-1' }
    const agents = { odd: { model_id: 'lost' }, too: { model_id: 'lost' }, fine: {} }
    for (const check of CHECKS) {
      const { err } = await ask({ models: { lost: model, unused: model }, agents }, ...check)
      const [first, second, ...more] = err.trim().split('\n')
      expect(first).to.match(/PROVIDER_NOT_FOUND: Agents "odd", "too": The model "lost"/)
      expect(second).to.match(/PROVIDER_NOT_FOUND: The model "unused"/)
      expect(more).to.deep.equal([])
    }
  })

  it('tells of a missing file in the config itself once', async () => {
    const settings = { scripted: { script_file: 'nope.json' } }
    const { status, err } = await ask({ settings, agents: { one: {}, two: {} } }, 'config', 'check')
    expect([status, err.match(/nope\.json/g)?.length]).to.deep.equal([2, 1])
    expect(err).to.not.include('"one"')
  })

  it('tells of the same fault of several agents once, with their names and places', async () => {
    const odd = { config: { settings: { scripted: { delay: 1 } } } }
    for (const check of CHECKS) {
      const { err } = await ask({ agents: { one: odd, two: odd } }, ...check)
      expect(err).to.match(
        /^error SETTINGS_INVALID: Agents "one", "two": .*Did you mean "delay_ms"\? \(.*braidwork\.json:1:\d+, .*braidwork\.json:1:\d+\)\n$/,
      )
    }
  })

  it('tells why a tool is not there: its MCP server does not start, or its plugin lacks tags', async () => {
    const servers = { bakery: { command: '/nowhere/bakery' } }
    const config = {
      plugins: [fileURLToPath(new URL('../../tools/mcp', import.meta.url))],
      models: { mini: { provider_id: 'scripted', upstream_model: 'scripted-mini' } },
      agents: {
        baker: {
          plugin_ids: ['mcp'],
          allowed_tools: ['bakery__bake'],
          config: { settings: { mcp: { servers } } },
        },
        mini: { model_id: 'mini', allowed_tools: ['calculate'] },
      },
    }
    const { err } = await ask(config, 'agents', 'check')
    expect(err).to.match(/named "bakery__bake"\. The MCP server "bakery" is not available: /)
    expect(err).to.match(/named "calculate"\. .*"calculator".* missing tags: tools\./)
    const { out } = await ask(config, 'agents', 'explain', 'baker')
    expect(out).to.match(/^bakery__unavailable +mcp +not offered +The MCP server "bakery" is not/m)
    const checked = await ask(config, 'mcp', 'check', '--agent', 'baker')
    expect(checked.status).to.equal(1)
    expect(checked.err).to.include('bakery: The MCP server "bakery" is not available')
    const listed = await ask(config, 'mcp', 'list', '--agent', 'baker')
    expect(listed.out).to.match(/^bakery +0 +The MCP server "bakery" is not available/m)
    expect(checked.err).to.match(/warning \w+: Agent "baker", allowed_tools: /)
    expect((await ask(config, 'mcp', 'check', '--agent', 'bakr')).err).to.include('"baker"')
  })

  it('tells why there is no agent whose MCP servers are asked for: its spec is not valid', async () => {
    for (const command of ['list', 'check']) {
      const asked = await ask(
        { agents: { odd: { modl_id: 'x' } } },
        'mcp',
        command,
        '--agent',
        'odd',
      )
      expect(asked.err, command).to.match(/error SPEC_INVALID: .*modl_id.*Did you mean "model_id"/s)
      expect(asked.err).to.match(/AGENT_NOT_FOUND/)
    }
  })
})
