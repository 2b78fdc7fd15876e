import { expect } from 'chai'
import type { NewEntry } from '../../src/agent/storage/index.ts'
import { memoryStorage } from '../../src/store/index.ts'

function entry(id: string): NewEntry {
  return { kind: 'message', id, message: { role: 'user', parts: [{ type: 'text', text: id }] } }
}

describe('a conversation that is stored', () => {
  const { conversations } = memoryStorage()

  it('CT-19 is found by exactly its agent and sender, the latest first', async () => {
    for (const [id, sender] of [
      ['1', 's'],
      ['2', 's'],
      ['3', 'S'],
    ] as const) {
      await conversations.create({ id, owner: 'o', agent: 'a', sender }, Number(id))
    }
    expect((await conversations.latest('o', 'a', 's'))?.id).to.equal('2')
    expect((await conversations.latest('o', 'a', 'S'))?.id).to.equal('3')
    expect(await conversations.latest('o', 'A', 's')).to.equal(undefined)
  })

  it('CT-19 is a tree, whose path from the root to the head is the history', async () => {
    await conversations.create({ id: 't', owner: 'o', agent: 'a', sender: 's' }, 1)
    await conversations.append('o', 't', { entries: [entry('1'), entry('2')] }, 2)
    await conversations.append('o', 't', { entries: [entry('2b')], parent: '1' }, 3)
    const history = await conversations.history('o', 't')
    expect(history.map(({ id }) => id)).to.deep.equal(['1', '2b'])
    const entries = await conversations.entries('o', 't')
    expect(entries.map(({ id }) => id)).to.deep.equal(['1', '2', '2b'])
  })
})
