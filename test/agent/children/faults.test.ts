import { expect } from 'chai'
import type { AgentSpec } from '../../../src/agent/index.ts'
import type { RunEvent } from '../../../src/plugin/events/index.ts'
import { runsOf } from '../../helpers/cases.ts'
import { schema, tool } from '../../helpers/plugins.ts'
import { agent, asks, endsIn, leader, read, teamOf } from './team.ts'

/** What a leader is told of its delegate "a", beside a sound one. */
async function toldOf(a: AgentSpec, plugins: readonly unknown[] = []) {
  const calls = [asks('a', 'x'), asks('sound', 'x')]
  const agents = [
    leader(calls, { delegates: ['a', 'sound'] }),
    a,
    agent('sound', [{ then: { text: 'sound' } }]),
  ]
  await using team = await teamOf({ agents, plugins })
  const stream = await team.runtime.run('leader', { messages: 'go' })
  const events = await read(stream)
  const { status } = await stream.result
  const [[, output] = [], [, other] = []] = endsIn(events).toSorted()
  expect([status, other]).to.deep.equal(['done', 'sound'])
  return { output, events }
}

const sizeOf = (events: readonly RunEvent[]) => JSON.stringify(events).length

describe('a delegate with a fault', () => {
  it('AL-06 that loses its provider in the middle of an answer is a structured result', async () => {
    const cut = agent('a', [
      { then: { text: 'The sea is wide and', fault: { type: 'cut', after_chunks: 2 } } },
    ])
    const { output } = await toldOf(cut)
    expect(output).to.deep.include({ agent: 'a', status: 'failed', code: 'STREAM_INTERRUPTED' })
    expect((output as { text: string }).text).to.match(/^The sea/)
  })

  it('AL-06 whose tool throws hears of it, and answers', async () => {
    const throwing = tool('throwing', {
      getToolSchemas: () => [schema('boom')],
      executeTool: () => {
        throw new Error('boom')
      },
    })
    const a = agent('a', [
      { when: { step: 1 }, then: { tool_calls: [{ name: 'boom', input: { path: 'x' } }] } },
      { then: { text: 'It said {{result.boom}}' } },
    ])
    expect((await toldOf(a, [throwing])).output).to.match(/^It said .*boom/)
  })

  it('LT-09 that floods its parent gives it a reference to what is too large', async () => {
    const flood = agent('a', [{ then: { text: 'water '.repeat(runsOf(100_000)) } }])
    const { output, events } = await toldOf(flood)
    expect(String(output).length).to.be.below(10_000)
    expect(JSON.stringify(events)).to.include('references')
    expect(sizeOf(events)).to.be.below(100_000)
  })

  it('AL-20 that floods its parent with calls tells it one progress for each, and no more', async () => {
    const look = tool('look', {
      getToolSchemas: () => [schema('look')],
      async *executeTool() {
        for (let count = 0; count < 1000; count++) yield { count }
        yield 'seen'
      },
    })
    const calls = Array.from({ length: 50 }, () => ({ name: 'look', input: { path: 'x' } }))
    const a = agent('a', [
      { when: { step: 1 }, then: { tool_calls: calls } },
      { then: { text: 'a' } },
    ])
    const { events, output } = await toldOf(a, [look])
    expect(output).to.equal('a')
    const told = events.filter(({ type }) => type === 'tool-execution-progress')
    expect(told.length).to.be.within(50, 70)
  })
})
