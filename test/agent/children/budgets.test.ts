import { expect } from 'chai'
import { run, type StopCondition, systemEnvironment, tool } from '../../../src/agent/index.ts'
import type { RunEvent } from '../../../src/plugin/events/index.ts'
import { scriptedHost } from '../../helpers/hosts.ts'
import { tool as pluginTool, schema } from '../../helpers/plugins.ts'
import { agent, asks, endsIn, leader, read, speaker, teamOf } from './team.ts'

const look = pluginTool('look', {
  getToolSchemas: () => [schema('look')],
  executeTool: () => 'a wall',
})

/** An agent that looks around without an end. */
const worker = agent('worker', [{ then: { tool_calls: [{ name: 'look', input: {} }] } }])

const tokens = (most: number): readonly StopCondition[] => [
  { type: 'token_budget', max_total: most },
]

function requestsIn(events: readonly RunEvent[]): number {
  return events.filter(({ type }) => type === 'step-finish').length
}

describe('the budget of a run', () => {
  it('AW-66 bounds the runs below it, and lets no request follow once it is used up', async () => {
    const boss = leader([asks('worker', 'one'), asks('worker', 'two')], {
      delegates: ['worker'],
      stop_conditions: tokens(500),
    })
    await using team = await teamOf({ agents: [boss, worker], plugins: [look] })
    const stream = await team.runtime.run('leader', { messages: 'go' })
    const events = await read(stream)
    const { usage, termination } = await stream.result
    expect(termination).to.deep.include({ reason: 'stopped', code: 'token_budget' })
    expect((usage.input ?? 0) + (usage.output ?? 0)).to.be.within(500, 700)
    expect(requestsIn(events)).to.equal(1)
    for (const [, output] of endsIn(events)) expect(output).to.deep.include({ status: 'stopped' })
  })

  it('AW-66 bounds the runs below those, and begins none once it is used up', async () => {
    const boss = leader([asks('middle', 'go')], {
      delegates: ['middle'],
      stop_conditions: tokens(300),
    })
    const middle = agent(
      'middle',
      [
        {
          then: {
            tool_calls: [asks('worker', 'one'), asks('worker', 'two')],
          },
        },
      ],
      { delegates: ['worker'] },
    )
    await using team = await teamOf({ agents: [boss, middle, worker], plugins: [look] })
    const { usage, termination } = await (await team.runtime.run('leader', { messages: 'go' }))
      .result
    expect(termination).to.deep.include({ reason: 'stopped', code: 'token_budget' })
    expect((usage.input ?? 0) + (usage.output ?? 0)).to.be.within(300, 600)
  })

  it('AW-66 leaves a run below alone that ends within it', async () => {
    const boss = leader([asks('speaker', 'go')], {
      delegates: ['speaker'],
      stop_conditions: tokens(5000),
    })
    await using team = await teamOf({ agents: [boss, speaker('speaker', 'Here I am.')] })
    const { termination } = await (await team.runtime.run('leader', { messages: 'go' })).result
    expect(termination).to.deep.equal({ reason: 'natural_end' })
  })

  it('AW-66 is judged before each request too: a tool that takes long is followed by none', async () => {
    let now = 0
    const slow = tool({
      name: 'slow',
      description: 'Takes long.',
      input: { type: 'object' },
      execute: () => {
        now += 5000
        return 'done'
      },
    })
    const script = [
      { when: { step: 1 }, then: { tool_calls: [{ name: 'slow', input: {} }] } },
      { then: { text: 'Done.' } },
    ]
    await using host = await scriptedHost([], { settings: { scripted: { script } } })
    const { termination, steps, messages } = await run(host, {
      messages: 'go',
      tools: [slow],
      environment: { ...systemEnvironment, elapsed: () => now },
      stopConditions: [{ type: 'timeout', seconds: 1 }],
    }).result
    expect(termination).to.deep.include({ reason: 'stopped', code: 'timeout' })
    expect(steps).to.equal(1)
    expect(messages.at(-1)?.role).to.equal('tool')
  })
})
