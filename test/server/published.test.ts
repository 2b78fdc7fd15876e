import { expect } from 'chai'
import scripted from '../../providers/scripted/index.ts'
import { type AgentSpec, createRuntime } from '../../src/agent/index.ts'
import { memoryStorage } from '../../src/agent/memory-storage/index.ts'
import { createHost, type Host } from '../../src/core/index.ts'
import type { Log } from '../../src/plugin/index.ts'
import { createServer } from '../../src/server/index.ts'
import { configFaults, publishedModels, publishedNames } from '../../src/server/published.ts'
import calculator from '../../tools/calculator/index.ts'
import { schema, tool } from '../helpers/plugins.ts'

describe('the models that a server publishes', () => {
  let host: Host
  beforeEach(async () => {
    host = await createHost({ plugins: [scripted, calculator] })
  })
  afterEach(() => host.close())

  it('have what is wrong with their configs told, each thing once', async () => {
    const lines: string[] = []
    const config = { modle: 'x', model: 'none-such' }
    await publishedModels(host, { first: { config }, second: { config } }, ({ level, message }) => {
      lines.push(`${level} ${message}`)
    })
    expect(lines).to.have.length(2)
    expect(lines[0]).to.match(/^warn Model "first": .*"modle" .*Did you mean "model"\?/)
    expect(lines[1]).to.match(/^warn Model "first": .*"none-such"/)
  })

  it('have tools that offer nothing told once, also if all have the config of the host', async () => {
    const idle = { kind: 'tool', name: 'idle', tools: () => [] } as const
    const failing = {
      kind: 'tool',
      name: 'failing',
      tools: () => {
        throw new Error('It is broken.')
      },
    } as const
    await host.close()
    host = await createHost({ plugins: [scripted, idle] })
    for (const given of [undefined, { first: {}, second: {} }]) {
      const lines: string[] = []
      await publishedModels(host, given, ({ code, message }) => lines.push(`${code} ${message}`))
      expect(lines).to.have.length(1)
      expect(lines[0]).to.match(/^TOOLS_MISSING Model ".*": Tool "idle" is on, but offers no tool/)
    }
    await host.close()
    host = await createHost({ plugins: [scripted, failing] })
    const lines: string[] = []
    await publishedModels(host, undefined, ({ message }) => lines.push(message))
    expect(lines).to.have.length(1)
    expect(lines[0]).to.include('"failing"')
  })

  it('have the titles that they are given, and their plain forms have them too', async () => {
    const given = { titled: { title: 'The model' }, untitled: {} }
    const models = await publishedModels(host, given, () => undefined)
    expect(models.map(({ name, title }) => [name, title])).to.deep.equal([
      ['titled', 'The model'],
      ['untitled', undefined],
      ['titled-plain', 'The model (plain)'],
      ['untitled-plain', undefined],
    ])
  })

  it('have no plain form where they only make embeddings', async () => {
    const config = { model: 'text-embedding-3-small' }
    const given = { vectors: { config }, 'nomic-embed-text': {}, embers: {} }
    const models = await publishedModels(host, given, () => undefined)
    const names = models.map(({ name }) => name)
    expect(names).to.deep.equal([...Object.keys(given), 'embers-plain'])
    expect([...(await publishedNames(host, given))].sort()).to.deep.equal([...names].sort())
  })

  it('are named where they cannot be published', async () => {
    const given = { broken: { config: { provider: 'none-such' } } }
    const error = await publishedModels(host, given, () => undefined).catch((e: unknown) => e)
    expect(error).to.include({ code: 'PROVIDER_UNKNOWN' })
    expect((error as Error).message).to.include('The model "broken" cannot be published: ')
  })

  it('are told of a policy for a tool that is not there, which would hold nobody back', async () => {
    const tool_policy = { calc: 'ask', calculate: 'ask', 'calculator.calculate': 'deny' } as const
    const faults = await configFaults(host, { tool_policy })
    expect(faults.map(({ code, pointer }) => `${code} ${pointer}`)).to.deep.equal([
      'POLICY_UNUSED /tool_policy/calc',
    ])
    expect(faults[0]?.message).to.include('Tools on offer: calculate, read_result.')
  })

  it('are told of such a policy of the host only where none of them, and no agent, has the tool', async () => {
    await host.close()
    const off = tool('off', { getToolSchemas: () => [schema('hidden')], defaultEnabled: false })
    const config = {
      tool_policy: { calculate: 'ask', hidden: 'deny', calc: 'deny' },
      tool_names: { 'calculator.calculate': 'calculate', 'off.hide': 'x' },
    } as const
    host = await createHost({ plugins: [scripted, calculator, off], config })
    const toolless = { model: 'scripted-mini' }
    const models = { main: {}, mini: { config: toolless } }
    const agent = {
      id: 'helper',
      system_prompt: 'Help.',
      config: { enabled_plugins: { add: ['off'] } },
    }
    const started = async (agents: readonly AgentSpec[]) => {
      const lines: string[] = []
      const log: Log = ({ code, message }) =>
        void (code === 'POLICY_UNUSED' && lines.push(String(message)))
      const runtime = await createRuntime({ host, agents })
      const server = await createServer({
        host,
        models,
        runtime,
        log,
        storage: memoryStorage(),
        anonymous: { id: 'ada', role: 'admin' },
      })
      await server.close()
      return lines
    }
    const [calc, hide, ...others] = await started([agent])
    expect(calc).to.match(/^The config has a policy for the tool "calc", but no plugin offers/)
    expect(hide).to.include('a name for the tool "off.hide"')
    expect(others).to.deep.equal([])
    expect(calc).to.include('Tools on offer: calculate, read_result, hidden.')
    expect(await started([])).to.have.length(3)
    const faults = await configFaults(host, toolless)
    expect(faults).to.deep.equal([])
  })
})
