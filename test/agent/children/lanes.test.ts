import { expect } from 'chai'
import { Lanes, Places } from '../../../src/agent/children/lanes.ts'
import { schema, tool } from '../../helpers/plugins.ts'
import { agent, asks, leader, read, teamOf } from './team.ts'

/** How many of a tool's calls run at the same time, at most. */
function crowd() {
  let now = 0
  let most = 0
  const plugin = tool('work', {
    getToolSchemas: () => [{ ...schema('work'), safety: { is_concurrency_safe: true } }],
    executeTool: async () => {
      most = Math.max(most, ++now)
      // As many turns as all others need to come here, if nothing holds them.
      for (let turn = 0; turn < 50; turn++) await new Promise(setImmediate)
      now--
      return 'worked'
    },
  })
  return { plugin, most: () => most }
}

const WORK = { name: 'work', input: {} }
const working = (id: string) =>
  agent(id, [{ when: { step: 1 }, then: { tool_calls: [WORK] } }, { then: { text: id } }])

const many = (count: number, name: string) =>
  Array.from({ length: count }, (_, index) => `${name}${index}`)

describe('child runs of a step', () => {
  async function run(count: number, options: object = {}) {
    const work = crowd()
    const ids = many(count, 'w')
    const agents = [
      leader(
        ids.map((id) => asks(id, 'x')),
        { delegates: ids },
      ),
      ...ids.map(working),
    ]
    await using team = await teamOf({ agents, plugins: [work.plugin] })
    const stream = await team.runtime.run('leader', { messages: 'go', ...options })
    await read(stream)
    const { messages } = await stream.result
    const results = messages.flatMap(({ parts }) =>
      parts.flatMap((part) => (part.type === 'tool-result' ? [part.output] : [])),
    )
    return { ids, results, most: work.most() }
  }

  it('AL-20 work at most five at once, with their results in the order of the calls', async () => {
    const { ids, results, most } = await run(12)
    expect(most).to.equal(5)
    expect(results).to.deep.equal(ids)
  })

  it('AL-20 work as many at once as the run allows', async () => {
    expect((await run(6, { childLimits: { at_once: 2 } })).most).to.equal(2)
  })

  it('AL-24 share the lane of their tree, and have no more than its places', async () => {
    expect((await run(12, { childLimits: { at_once: 100 } })).most).to.equal(8)
  })

  it('AL-24 at depth 2 work in a lane with four places', async () => {
    const work = crowd()
    const middles = many(3, 'm')
    const leaves = many(12, 'w')
    const agents = [
      leader(
        middles.map((id) => asks(id, 'x')),
        { delegates: middles },
      ),
      ...middles.map((id, index) => {
        const own = leaves.slice(index * 4, index * 4 + 4)
        const calls = own.map((leaf) => asks(leaf, 'x'))
        const script = [
          { when: { step: 1 }, then: { tool_calls: calls } },
          { then: { text: 'all came' } },
        ]
        return agent(id, script, { delegates: own })
      }),
      ...leaves.map(working),
    ]
    await using team = await teamOf({ agents, plugins: [work.plugin] })
    const { status } = await (await team.runtime.run('leader', { messages: 'go' })).result
    expect(status).to.equal('done')
    expect(work.most()).to.equal(4)
  })
})

describe('the place of a run in its lane', () => {
  const open = new AbortController().signal

  it('AL-24 is free while the run waits for its children', async () => {
    const lanes = new Lanes({ subagent: 1, nested: 1 })
    const parent = lanes.placeIn('subagent', open)
    const other = lanes.placeIn('subagent', open)
    const order: string[] = []
    await parent.with(async () => {
      const waits = parent.without(async () => {
        await other.with(async () => void order.push('another run'))
        order.push('the child')
      })
      await waits
      order.push('the parent')
    })
    expect(order).to.deep.equal(['another run', 'the child', 'the parent'])
  })

  it('AL-24 goes to those who wait, in the order in which they came', async () => {
    const places = new Places(1)
    const order: number[] = []
    const all = [1, 2, 3].map((one) => places.with(open, async () => void order.push(one)))
    await Promise.all(all)
    expect(order).to.deep.equal([1, 2, 3])
  })

  it('is not taken by one who was cancelled while it waited', async () => {
    const places = new Places(1)
    await places.take(open)
    const cancel = new AbortController()
    const waiting = places.take(cancel.signal).catch((error: Error) => error.message)
    const next = places.with(open, async () => 'came')
    cancel.abort('enough')
    expect(await waiting).to.equal('enough')
    places.giveBack()
    expect(await next).to.equal('came')
  })
})
