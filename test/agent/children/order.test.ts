import { expect } from 'chai'
import fc from 'fast-check'
import { type AgentSpec, systemEnvironment } from '../../../src/agent/index.ts'
import type { RunEvent } from '../../../src/plugin/events/index.ts'
import { propertyRuns, propertyTimeout } from '../../helpers/cases.ts'
import { agent, asks, leader, speaker, teamOf } from './team.ts'

/** A tree of agents. */
interface Tree {
  readonly below: readonly Tree[]
}

function treeOf(depth: number): fc.Arbitrary<Tree> {
  if (depth === 0) return fc.constant({ below: [] })
  return fc.record({ below: fc.array(treeOf(depth - 1), { maxLength: 3 }) })
}

function sizeOf({ below }: Tree): number {
  return below.reduce((sum, one) => sum + sizeOf(one), 1)
}

/** The agents of a tree: each asks those below it. */
function agentsOf({ below }: Tree, id: string): readonly AgentSpec[] {
  const delegates = below.map((_, index) => `${id}-${index}`)
  const calls = delegates.map((one) => asks(one, `for ${one}`))
  const asking = [{ when: { step: 1 }, then: { tool_calls: calls } }]
  const script = [...(calls.length > 0 ? asking : []), { then: { text: `${id} is done.` } }]
  return [
    agent(id, script, { delegates }),
    ...below.flatMap((one, index) => agentsOf(one, `${id}-${index}`)),
  ]
}

/** All events of all runs, with times and ids by count. */
async function eventsOf(tree: Tree): Promise<readonly RunEvent[]> {
  let ids = 0
  const environment = {
    ...systemEnvironment,
    now: () => 1,
    newId: (kind: string) => `${kind}-${ids++}`,
  }
  const events: RunEvent[] = []
  await using team = await teamOf({
    agents: agentsOf(tree, 'root'),
    environment,
    hooks: [{ name: 'watch', onEvent: (_, _c, event) => events.push(event) }],
  })
  const { status } = await (await team.runtime.run('root', { messages: 'go' })).result
  expect(status).to.equal('done')
  return events
}

describe('the events of a tree of runs', () => {
  it('AL-05 end with those of its root, after all children', async () => {
    const ends: string[] = []
    await using team = await teamOf({
      agents: [
        leader([asks('a', 'x'), asks('b', 'x')], { delegates: ['a', 'b'] }),
        speaker('a', 'short'),
        agent('b', [{ then: { text: 'long '.repeat(200), chunks: 1 } }]),
      ],
      hooks: [{ name: 'watch', onEvent: (id, _, { type }) => type === 'finish' && ends.push(id) }],
    })
    await (await team.runtime.run('leader', { messages: 'go' })).result
    expect(ends).to.deep.equal(['a', 'b', 'leader'])
  })

  it('AL-18 are the same for the same agents, ids and times', async () => {
    const tree = treeOf(3)
    await fc.assert(
      fc.asyncProperty(tree, async (one) => {
        const events = await eventsOf(one)
        expect(events.filter(({ type }) => type === 'start')).to.have.length(sizeOf(one))
        expect(events).to.deep.equal(await eventsOf(one))
      }),
      { numRuns: propertyRuns(200, 40) },
    )
  }).timeout(propertyTimeout(120_000))
})
