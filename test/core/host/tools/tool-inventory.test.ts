import { expect } from 'chai'
import type { ConfigLayer } from '../../../../src/core/config/layers.ts'
import { scriptedHost } from '../../../helpers/hosts.ts'
import { schema, tool } from '../../../helpers/plugins.ts'

const files = tool('files', {
  getToolSchemas: () => [
    schema('read', { safety: { is_read_only: true, capabilities: ['filesystem'] } }),
    schema('write'),
    schema('look', { safety: { is_read_only: true } }),
  ],
})
const CONFIG = { tool_policy: { 'files.write': 'deny', read: 'ask' } } as const

async function inventory(config: ConfigLayer = CONFIG) {
  await using host = await scriptedHost([
    files,
    tool('off', { defaultEnabled: false, getToolSchemas: () => [schema('never')] }),
    tool('needy', { requires: ['braille'], getToolSchemas: () => [schema('never')] }),
  ])
  return await host.toolSchemas(config, { inventory: true })
}

describe('a tool plugin that offers no tool', () => {
  const idle = tool('idle', { getToolSchemas: () => [] })

  it('LT-08 is in the inventory, with the reason', async () => {
    await using host = await scriptedHost([idle, files])
    const [entry, ...others] = (await host.toolSchemas({}, { inventory: true })).filter(
      ({ plugin }) => plugin === 'idle',
    )
    expect(others).to.deep.equal([])
    expect(entry).to.include({ tool_name: 'idle', policy: 'unavailable', offered: false })
    expect(entry?.reason).to.equal('it is on, but offers no tool for this config')
    expect(entry?.why).to.deep.equal({ code: 'TOOLS_MISSING' })
  })

  it('is told of in the warnings of a run, once', async () => {
    await using host = await scriptedHost([idle, tool('hookless'), files])
    const { warnings } = await host.send({}, 'hi')
    expect(warnings?.map((text) => text.split(',')[0])).to.deep.equal([
      'Tool "idle" is on',
      'Tool "hookless" is on',
    ])
    const off = await host.send({ disabled_plugins: ['idle', 'hookless'] }, 'hi')
    expect(off.warnings ?? []).to.deep.equal([])
    const denied = await host.send(
      { tool_policy: { read: 'deny', write: 'deny', look: 'deny' } },
      'hi',
    )
    expect(denied.warnings ?? []).to.have.length(2)
  })
})

describe('a policy for a tool', () => {
  it('is told of in the warnings of a run where it is misspelled, since it restricts nothing', async () => {
    await using host = await scriptedHost([files])
    const { warnings } = await host.send({ tool_policy: { wrte: 'deny' } }, 'hi')
    expect(warnings).to.deep.equal([
      '"wrte" in "tool_policy" is no tool on offer, and does nothing. Did you mean "write"?',
    ])
    const right = await host.send({ tool_policy: { 'files.write': 'deny' } }, 'hi')
    expect(right.warnings ?? []).to.deep.equal([])
  })

  it('is told of in the warnings of a run where it is a pattern, which it cannot be', async () => {
    await using host = await scriptedHost([files])
    const { warnings } = await host.send({ tool_policy: { 'wr*': 'deny', other: 'ask' } }, 'hi')
    expect(warnings).to.deep.equal([
      '"wr*" in "tool_policy" is no tool on offer, and does nothing. "*" is an ordinary character there: name each tool.',
    ])
  })

  it('is among the diagnostics where its plugin is not registered', async () => {
    await using host = await scriptedHost([files])
    const config = { tool_policy: { 'file.write': 'deny' }, tool_names: { 'x.y': 'z' } } as const
    const { diagnostics } = await host.resolve(config)
    expect(diagnostics.map(({ code, pointer }) => `${code} ${pointer}`)).to.deep.equal([
      'POLICY_UNUSED /tool_policy/file.write',
      'POLICY_UNUSED /tool_names/x.y',
    ])
    expect(diagnostics[0]?.message).to.include('Did you mean "files"?')
  })
})

describe('a tool that its plugin says is unavailable', () => {
  const away = tool('remote', {
    getToolSchemas: () => [
      schema('near', { runtime_owner: 'mcp_server' }),
      schema('far', { unavailable: 'its server is away', runtime_owner: 'mcp_server' }),
    ],
  })

  it('LT-08 is in the inventory with the reason, and the model is not shown it', async () => {
    await using host = await scriptedHost([away])
    const [near, far] = await host.toolSchemas({}, { inventory: true })
    expect(near).to.include({ tool_name: 'near', policy: 'allowed', offered: true })
    expect(far).to.include({ tool_name: 'far', policy: 'unavailable', offered: false })
    expect(far?.reason).to.equal('its server is away')
    expect(far).not.to.have.any.keys('why')
    expect([near?.runtime_owner, far?.runtime_owner]).to.deep.equal(['mcp_server', 'mcp_server'])
    const [shown, ...others] = await host.toolSchemas()
    expect(others).to.deep.equal([])
    expect(shown).to.not.have.any.keys('unavailable', 'runtime_owner')
  })

  it('is refused where the reason is no text', async () => {
    const wrong = tool('remote', { getToolSchemas: () => [schema('far', { unavailable: true })] })
    await using host = await scriptedHost([wrong])
    const error = await host.toolSchemas().catch((thrown: unknown) => thrown)
    expect(error).to.include({ code: 'TOOL_SCHEMA_INVALID' })
  })
})

describe('the inventory of tools', () => {
  it('LR-01 has of each tool its name, description, schema, capabilities, policy and owner', async () => {
    const [read] = await inventory()
    expect(read).to.deep.equal({
      tool_name: 'read',
      plugin: 'files',
      metadata_ref: 'files.read',
      description: schema('read').description,
      input_schema: schema('read').input_schema,
      capabilities: ['filesystem'],
      safety: { is_read_only: true, capabilities: ['filesystem'] },
      policy: 'ask',
      runtime_owner: 'local',
      offered: true,
      reason: 'The config asks for the approval of a person.',
      why: { code: 'POLICY_ASKS', pointer: '/tool_policy/read' },
    })
  })

  it('LR-02 says of each what its policy is, and what it touches where it does not say so', async () => {
    const rows = (await inventory()).map(({ tool_name, policy, capabilities, offered }) => [
      tool_name,
      policy,
      capabilities.join(),
      offered,
    ])
    expect(rows).to.deep.equal([
      ['read', 'ask', 'filesystem', true],
      ['write', 'denied', 'write', false],
      ['look', 'allowed', 'read', true],
      ['read_result', 'unavailable', 'read', false],
      ['off', 'unavailable', '', false],
      ['needy', 'unavailable', '', false],
    ])
  })

  it('LT-08 gives the reason why a tool is not offered, in the words of the resolution', async () => {
    const reasons = Object.fromEntries(
      (await inventory()).map(({ tool_name, reason }) => [tool_name, reason]),
    )
    expect(reasons).to.include({
      write: 'The config denies it.',
      off: 'off by default',
      needy: 'missing tags: braille',
      read_result: 'There is no large result to read.',
    })
    const disabled = await inventory({ disabled_plugins: ['files'] })
    expect(disabled[1]).to.include({ tool_name: 'files', reason: 'disabled', offered: false })
  })

  it('LT-08 gives each reason as a code with its values, too', async () => {
    const facts = Object.fromEntries(
      (await inventory()).map(({ tool_name, why }) => [tool_name, why]),
    )
    expect(facts).to.deep.equal({
      read: { code: 'POLICY_ASKS', pointer: '/tool_policy/read' },
      write: { code: 'POLICY_DENIES', pointer: '/tool_policy/files.write' },
      look: undefined,
      read_result: { code: 'RESULTS_MISSING' },
      off: { code: 'PLUGIN_OFF', rule: 'off by default', tags: [] },
      needy: { code: 'PLUGIN_OFF', rule: 'missing tags', tags: ['braille'] },
    })
  })
})
