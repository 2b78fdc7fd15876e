import { expect } from 'chai'
import { turnFor } from '../../src/core/pace.ts'

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
