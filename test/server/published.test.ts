import { expect } from 'chai'
import scripted from '../../providers/scripted/index.ts'
import { createHost, type Host } from '../../src/core/index.ts'
import { configFaults, publishedModels } from '../../src/server/published.ts'
import calculator from '../../tools/calculator/index.ts'

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
})
