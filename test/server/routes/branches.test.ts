import { expect } from 'chai'
import { memoryStorage } from '../../../src/agent/memory-storage/index.ts'
import type { Storage } from '../../../src/agent/storage/index.ts'
import { chatBody, Served, user } from './served.ts'

/** An answer as a chat page is told of it. */
interface Answer {
  readonly id: string
  readonly metadata: {
    readonly agent: string
    readonly runId: string
    readonly createdAt: number
    readonly usage: object
  }
}

describe('answers that a branch copies', () => {
  let served: Served
  let storage: Storage

  beforeEach(async () => {
    storage = memoryStorage()
    served = await Served.start({ storage })
  })
  afterEach(() => served.close())

  const say = (id: string, text: string, message: string) =>
    served.ask('/api/chat', { body: chatBody(id, [user(message, text)]) })
  const branchOf = async (id: string, body: object = {}) => {
    const { json } = await served.ask(`/api/conversations/${id}/branch`, { body })
    return String(json['id'])
  }
  const answersOf = async (id: string): Promise<readonly Answer[]> => {
    const all = (await served.history(id)) as readonly unknown[] as readonly (Answer & {
      readonly role: string
    })[]
    return all.filter(({ role }) => role === 'assistant')
  }

  it('are told of as the original is, with the run that wrote them', async () => {
    await say('c1', 'calculate', 'u1')
    await say('c1', 'hello', 'u2')
    const branch = await branchOf('c1')
    const before = await served.history('c1')
    expect(await served.history(branch)).to.deep.equal(before)
    const [answer] = await answersOf(branch)
    expect(answer?.metadata.agent).to.equal('quick')
    const facts = await served.ask(`/runs/${answer?.metadata.runId}/facts`)
    expect(facts.status).to.equal(200)
  })

  it('are told of the same way in a branch of a branch', async () => {
    await say('c1', 'hello', 'u1')
    const first = await branchOf('c1')
    await say(first, 'good morning', 'u2')
    const second = await branchOf(first)
    expect(await served.history(second)).to.deep.equal(await served.history(first))
  })

  it('keep their agent, time and run when the original is deleted', async () => {
    await say('c1', 'calculate', 'u1')
    const branch = await branchOf('c1')
    const before = await answersOf(branch)
    await served.ask('/api/conversations/c1', { method: 'DELETE' })
    expect(await answersOf(branch)).to.deep.equal(before)
    const { status, json } = await served.ask(`/runs/${before[0]?.metadata.runId}/facts`)
    expect([status, json['error']?.['code']]).to.deep.equal([404, 'RUN_UNKNOWN'])
  })

  it('are found again by their ids, and answered anew', async () => {
    await say('c1', 'hello', 'u1')
    const branch = await branchOf('c1')
    const [answer] = await answersOf(branch)
    const deeper = await branchOf(branch, { messageId: answer?.id })
    expect(await served.history(deeper)).to.have.length(2)
    const again = { trigger: 'regenerate-message', messageId: answer?.id }
    const asked = await served.ask('/api/chat', {
      body: chatBody(branch, [user('u1', 'hello')], again),
    })
    expect(asked.status).to.equal(200)
    const [other, ...rest] = await answersOf(branch)
    expect(rest).to.deep.equal([])
    expect(other?.metadata.runId).to.not.equal(answer?.metadata.runId)
  })

  it('are no answers of the branch’s own runs', async () => {
    await say('c1', 'hello', 'u1')
    const branch = await branchOf('c1')
    const { json } = await served.ask(`/api/conversations/${branch}`)
    expect(json).to.not.have.any.keys('run', 'lastRun')
    const [question, answer] = await storage.conversations.entries('ada', branch)
    expect(answer).to.not.have.property('runId')
    expect(question).to.not.have.property('origin')
    expect(answer?.origin).to.include({ conversationId: 'c1', agent: 'quick' })
  })
})
