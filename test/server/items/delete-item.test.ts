import { expect } from 'chai'
import { memoryStorage, systemEnvironment } from '../../../src/agent/index.ts'
import type { NewEntry } from '../../../src/agent/storage/index.ts'
import { deleteItem, itemsOnPath } from '../../../src/server/items/index.ts'

const OWNER = 'ada'
const ID = 'c_1'

const said = (id: string, text: string): NewEntry => ({
  kind: 'message',
  id,
  message: { role: 'user', parts: [{ type: 'text', text }] },
})

const MARKER: NewEntry = {
  kind: 'compaction',
  id: 'm_marker',
  summary: 'The password is tea.',
  archive: 'a'.repeat(64),
  replaced: 1,
}

describe('deleting an item of a conversation', () => {
  const storage = memoryStorage()
  const services = { storage, environment: systemEnvironment }

  async function leftWithout(text: string): Promise<readonly string[]> {
    const { conversations } = storage
    await conversations.delete(OWNER, ID)
    await conversations.create({ id: ID, owner: OWNER, agent: 'a', sender: OWNER }, 0)
    const entries = [said('m_1', 'secret'), MARKER, said('m_2', 'later')]
    await conversations.append(OWNER, ID, { entries }, 0)
    const items = itemsOnPath(await conversations.history(OWNER, ID), () => undefined)
    const item = items.find((one) => JSON.stringify(one.item).includes(text))
    await deleteItem(services, { owner: OWNER, id: ID }, item ?? expect.fail('no item'))
    const left = await conversations.history(OWNER, ID)
    return left.map((entry) =>
      entry.kind === 'compaction' ? entry.summary : JSON.stringify(entry.message.parts),
    )
  }

  it('leaves no summary and no archive that tell the model what it said', async () => {
    const left = await leftWithout('secret')
    expect(left).to.have.lengthOf(2)
    expect(left.join()).to.include('later').and.not.include('tea').and.not.include('secret')
  })

  it('leaves a summary of earlier messages', async () => {
    const left = await leftWithout('later')
    expect(left).to.have.lengthOf(3)
    expect(left.join()).to.include('tea').and.include('secret').and.not.include('later')
  })
})
