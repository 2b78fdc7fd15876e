import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect } from 'chai'
import { turnFor, turnToBegin } from '../../src/core/pace.ts'

/** Whether it is over before the event loop goes on. */
async function isAtOnce(turn: undefined | Promise<void>): Promise<boolean> {
  let isOver = turn === undefined
  void turn?.then(() => {
    isOver = true
  })
  for (let count = 0; count < 10; count++) await Promise.resolve()
  return isOver
}

const said = (text: string) => ({ role: 'user', parts: [{ type: 'text', text }] })
const tool = (description: string, properties: object = {}) => ({
  name: 'run',
  description,
  input_schema: { type: 'object', properties },
})
const LONG = 'x'.repeat(300_000)
const WIDE = Object.fromEntries(Array.from({ length: 3000 }, (_, index) => [`k${index}`, 1]))

describe('a turn for messages and tools', () => {
  it('is taken at once where they are few', async () => {
    const tools = Array.from({ length: 50 }, () => tool('runs', { path: { type: 'string' } }))
    expect(await isAtOnce(turnFor([said('Hi')], tools))).to.equal(true)
    expect(await isAtOnce(turnFor('Hi'))).to.equal(true)
  })

  const MUCH: { readonly [name: string]: Parameters<typeof turnFor> } = {
    'a long text': [LONG],
    'a long message': [[said(LONG)]],
    'many messages': [Array.from({ length: 600 }, () => said('Hi'))],
    'a long description': [[], [tool(LONG)]],
    'a wide schema': [[], [tool('runs', WIDE)]],
    'many tools': [[], Array.from({ length: 500 }, () => tool('runs'))],
  }
  for (const [name, values] of Object.entries(MUCH)) {
    it(`is one of the event loop for ${name}`, async () => {
      expect(await isAtOnce(turnFor(...values))).to.equal(false)
    })
  }
})

describe('the beginning of a request', () => {
  /** Many that come at once: their numbers, in the order in which they begin. */
  const beginMany = (count: number): number[] => {
    const begun: number[] = []
    const begin = async (at: number) => {
      await turnToBegin()
      begun.push(at)
    }
    for (let at = 0; at < count; at++) void begin(at)
    return begun
  }
  const numbers = (count: number) => Array.from({ length: count }, (_, at) => at)

  it('waits for nothing where few come at once', async () => {
    await nextTurn()
    await nextTurn()
    expect(turnToBegin()).to.equal(undefined)
    await nextTurn()
    expect(turnToBegin()).to.equal(undefined)
  })

  it('leaves the event loop free between a few and the next few, in their order', async () => {
    await nextTurn()
    await nextTurn()
    const begun = beginMany(50)
    const counts: number[] = []
    for (let turns = 0; begun.length < 50 && turns < 50; turns++) {
      await nextTurn()
      counts.push(begun.length)
    }
    expect(begun).to.deep.equal(numbers(50))
    expect(counts.length).to.be.above(2)
    expect(counts[0]).to.be.below(40)
  })

  it('is not forgotten if more come while others wait', async () => {
    const first = beginMany(40)
    await nextTurn()
    const second = beginMany(40)
    for (let turns = 0; turns < 20; turns++) await nextTurn()
    expect([first, second]).to.deep.equal([numbers(40), numbers(40)])
  })
})
