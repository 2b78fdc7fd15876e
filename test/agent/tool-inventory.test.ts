import { expect } from 'chai'
import { type RunOptions, run } from '../../src/agent/index.ts'
import type { RunEvent } from '../../src/plugin/events/index.ts'
import { collect, scriptedHost } from '../helpers/hosts.ts'
import { schema, tool } from '../helpers/plugins.ts'

type Inventory = Extract<RunEvent, { readonly type: 'tool-inventory' }>

const files = tool('files', { getToolSchemas: () => [schema('read'), schema('write')] })
const off = tool('off', { requires: ['braille'], getToolSchemas: () => [schema('never')] })

function calling(...names: readonly string[]) {
  const calls = names.map((name) => ({ name, input: {} }))
  const script = [{ when: { step: 1 }, then: { tool_calls: calls } }, { then: { text: 'Done.' } }]
  return { settings: { scripted: { script } } }
}

async function eventsOf(tools: readonly object[], options: Partial<RunOptions> = {}) {
  await using host = await scriptedHost(tools)
  const events = await collect(run(host, { messages: 'go', ...options }))
  return { events, host }
}

const inventories = (events: readonly RunEvent[]) =>
  events.filter((event): event is Inventory => event.type === 'tool-inventory')

describe('the tools of a run', () => {
  it('LR-01 LT-08 are told once, at its start, offered or not, with the reason', async () => {
    const config = { ...calling('read', 'read'), tool_policy: { write: 'deny' } } as const
    const { events } = await eventsOf([files, off], { config })
    expect(events.slice(0, 4).map(({ type }) => type)).to.deep.equal([
      'start',
      'model-chosen',
      'tool-inventory',
      'step-start',
    ])
    const [told, ...more] = inventories(events)
    expect(more).to.deep.equal([])
    expect(
      told?.tools.map(({ tool_name, policy, offered }) => [tool_name, policy, offered]),
    ).to.deep.equal([
      ['read', 'allowed', true],
      ['write', 'denied', false],
      ['read_result', 'unavailable', false],
      ['off', 'unavailable', false],
    ])
    expect(told?.tools.at(-1)?.reason).to.equal('missing tags: braille')
    expect(told?.tools[0]).to.deep.include({
      input_schema: schema('read').input_schema,
      metadata_ref: 'files.read',
      runtime_owner: 'local',
    })
  })

  it('LR-01 are told again by a leg that a person’s answer begins', async () => {
    const config = { ...calling('read'), tool_policy: { read: 'ask' } } as const
    await using host = await scriptedHost([files])
    const first = run(host, { messages: 'go', config })
    await collect(first)
    const { suspension } = await first.result
    if (!suspension) throw new Error('The run waits for nobody.')
    const resume = { ...suspension, verdicts: [] }
    const events = await collect(run(host, { messages: 'go', config, resume }))
    expect(inventories(events)).to.have.length(1)
  })

  it('are not told where there are none', async () => {
    const { events } = await eventsOf([])
    expect(inventories(events)).to.deep.equal([])
  })

  it('AW-08 come in order, the host’s first, each with the executor that runs its calls', async () => {
    const ran: string[] = []
    const ownTool = (name: string, ...names: readonly string[]) =>
      tool(name, {
        getToolSchemas: () => names.map((own) => schema(own)),
        executeTool: (call: { readonly name: string }) => ran.push(`${name}: ${call.name}`),
      })
    const mine = {
      ...schema('mine'),
      execute: () => ran.push('the caller: mine'),
    }
    const { events } = await eventsOf([ownTool('b', 'b2', 'b1'), ownTool('a', 'a1')], {
      config: { ...calling('mine', 'a1', 'b1', 'b2'), tool_names: { 'b.b1': 'renamed' } },
      tools: [mine],
    })
    const [told] = inventories(events)
    expect(told?.tools.map(({ tool_name }) => tool_name)).to.deep.equal([
      'b2',
      'renamed',
      'a1',
      'mine',
      'read_result',
    ])
    // The name before the renaming is nobody's.
    expect(ran).to.deep.equal(['the caller: mine', 'a: a1', 'b: b2'])
  })

  it('AW-09 are refused where two sources have one name, and the error names both', async () => {
    const { events } = await eventsOf([files], { tools: [schema('read')] })
    expect(events.map(({ type }) => type)).to.deep.equal(['start', 'error'])
    expect(events.at(-1))
      .to.have.nested.property('error.message')
      .that.includes('tool "files"')
      .and.includes('the caller')
  })
})
