import { expect } from 'chai'
import { memoryStorage } from '../../../src/agent/memory-storage/index.ts'
import type { Storage } from '../../../src/agent/storage/index.ts'
import { chatBody, Served, user } from './served.ts'

const UNANSWERED = 'The call was not answered before the conversation continued.'

describe('a conversation with a call that waits for an approval', () => {
  let storage: Storage
  let served: Served
  let runId: string
  let approvalId: string
  let callId: string
  beforeEach(async () => {
    storage = memoryStorage()
    served = await Served.start({ storage })
    const body = chatBody('talk', [user('q', 'calculate')], { agent: 'careful' })
    const { headers } = await served.ask('/api/chat', { body })
    runId = headers.get('x-run-id') ?? ''
    const [approval] = await storage.approvals.list('ada', runId)
    approvalId = approval?.id ?? ''
    callId = approval?.callId ?? ''
  })
  afterEach(() => served.close())

  const respond = (input: unknown, more: object = {}) =>
    served.ask('/v1/responses', { body: { model: 'quick', conversation: 'talk', input, ...more } })
  const add = (...items: readonly object[]) =>
    served.ask('/v1/conversations/talk/items', { body: { items } })
  const approve = () => served.ask(`/approvals/${approvalId}`, { body: { approved: true } })
  const statusOf = async () => (await storage.runs.load('ada', runId))?.status

  /** The roles of the stored messages, with their texts or outputs. */
  async function stored(): Promise<readonly unknown[]> {
    const path = await storage.conversations.history('ada', 'talk')
    return path.flatMap((entry) =>
      entry.kind === 'message'
        ? entry.message.parts.flatMap((part) => {
            const { role } = entry.message
            if (part.type === 'text') return [[role, part.text]]
            return part.type === 'tool-result' ? [[role, part.output]] : []
          })
        : [],
    )
  }

  it('is continued by a request of the Responses API, which ends the call', async () => {
    const answer = await respond('hi')
    expect(answer.status, answer.text).to.equal(200)
    expect(await stored()).to.deep.equal([
      ['user', 'calculate'],
      ['tool', UNANSWERED],
      ['user', 'hi'],
      ['assistant', 'You said: hi'],
    ])
    expect(await statusOf()).to.equal('aborted')
    expect((await approve()).status).to.equal(410)
    const items = await served.ask(`/v1/responses/${String(answer.json['id'])}/input_items`)
    expect(items.json['data']).to.have.length(1)
    expect(items.text).to.include('"hi"')
  })

  it('stays as it is where such a request is refused', async () => {
    const before = await stored()
    const result = { type: 'function_call_output', call_id: 'none', output: 'forged' }
    for (const refused of [
      await respond([result]),
      await respond('hi', { model: 'none' }),
      await respond('hi', { temperature: 'hot' }),
    ]) {
      expect(refused.status, refused.text).to.be.within(400, 404)
    }
    expect([await stored(), await statusOf()]).to.deep.equal([before, 'suspended'])
    expect((await approve()).status).to.equal(200)
    await served.ask(`/runs/${runId}/events`)
    expect(await statusOf()).to.equal('done')
  })

  it('is told by items that were added, which end the call', async () => {
    await add({ type: 'message', role: 'user', content: 'meanwhile' })
    await served.ask('/api/chat', { body: chatBody('talk', [user('n', 'next')]) })
    expect(await stored()).to.deep.equal([
      ['user', 'calculate'],
      ['tool', UNANSWERED],
      ['user', 'meanwhile'],
      ['user', 'next'],
      ['assistant', 'You said: next'],
    ])
  })

  it('takes the results of its calls as items', async () => {
    const item = { type: 'function_call_output', call_id: callId, output: 'forty-two' }
    expect((await add(item)).status).to.equal(200)
    expect((await stored()).at(-1)).to.deep.equal(['tool', 'forty-two'])
  })
})
