import { expect } from 'chai'
import { memoryStorage } from '../../../src/agent/memory-storage/index.ts'
import type { Storage } from '../../../src/agent/storage/index.ts'
import { chatBody, Served, user } from '../routes/served.ts'

describe('the history of a conversation for a chat page', () => {
  let storage: Storage
  let served: Served
  beforeEach(async () => {
    storage = memoryStorage()
    served = await Served.start({ storage })
  })
  afterEach(() => served.close())

  it('leaves turns to other work while it is written, if it is long', async () => {
    const conversation = { id: 'long', owner: 'ada', agent: 'quick', sender: 'ada' }
    await storage.conversations.create(conversation, 1)
    const entries = Array.from({ length: 2000 }, (_, at) => {
      const role = at % 2 === 0 ? ('user' as const) : ('assistant' as const)
      const message = { role, parts: [{ type: 'text' as const, text: `${at}` }] }
      return { kind: 'message' as const, id: `e${at}`, message }
    })
    await storage.conversations.append('ada', 'long', { entries }, 1)
    let turns = 0
    let isOver = false
    const count = () => {
      turns++
      if (!isOver) setImmediate(count)
    }
    setImmediate(count)
    const messages = await served.history('long')
    isOver = true
    expect(messages).to.have.length(2000)
    expect(turns).to.be.at.least(5)
  })

  it('is read without asking for approvals of runs that asked for none', async () => {
    let asked = 0
    const { list } = storage.approvals
    storage.approvals.list = (owner, runId) => {
      asked++
      return list.call(storage.approvals, owner, runId)
    }
    for (const id of ['u1', 'u2', 'u3']) {
      const message = chatBody('talk', [user(id, 'hello')])
      await served.ask('/api/chat', { body: message })
    }
    asked = 0
    expect(await served.history('talk')).to.have.length(6)
    expect(asked).to.equal(0)
  })
})
