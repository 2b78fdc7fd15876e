import { expect } from 'chai'
import { memoryStorage } from '../../../src/agent/memory-storage/index.ts'
import { chatBody, Served, type ShownMessage, user } from './served.ts'

/** A conversation as its page is told of it. */
interface Told {
  readonly head: string
  readonly messages: readonly ShownMessage[]
  readonly versions?: readonly {
    readonly messageId?: string
    readonly ids: readonly string[]
    readonly current?: number
  }[]
}

describe('the versions of messages', () => {
  let served: Served
  beforeEach(async () => {
    served = await Served.start()
  })
  afterEach(() => served.close())

  const say = (text: string, at: string) =>
    served.ask('/api/chat', { body: chatBody('c1', [user(at, text)]) })
  const again = (messageId: string) =>
    served.ask('/api/chat', {
      body: chatBody('c1', [user('u1', 'calculate')], { trigger: 'regenerate-message', messageId }),
    })
  const told = async (): Promise<Told> =>
    JSON.parse((await served.ask('/api/conversations/c1?sdk=7')).text)
  const change = (body: object) => served.ask('/api/conversations/c1', { method: 'PATCH', body })
  const textsOf = ({ messages }: Told) =>
    messages.map(({ parts }) => parts.map(({ text }) => text ?? '').join(''))

  it('are none in a conversation without branches', async () => {
    await say('hello', 'u1')
    await say('calculate', 'u2')
    expect(await told()).to.not.have.property('versions')
  })

  it('are those of an answer that was asked for again, with what was said after each', async () => {
    await say('calculate', 'u1')
    await say('good morning', 'u2')
    const before = await told()
    const answerId = before.messages[1]?.id ?? ''
    await again(answerId)
    const after = await told()
    expect(after.messages).to.have.length(2)
    const [versions, ...others] = after.versions ?? []
    expect(others).to.deep.equal([])
    expect(versions?.messageId).to.equal(after.messages[1]?.id)
    expect(versions?.ids).to.have.length(2)
    expect(versions?.current).to.equal(1)
    await say('hello', 'u3')
    const longer = await told()

    expect((await change({ version: versions?.ids[0] })).status).to.equal(200)
    const back = await told()
    expect(back.messages).to.deep.equal(before.messages)
    expect(back.versions).to.deep.equal([{ messageId: answerId, ids: versions?.ids, current: 0 }])
    expect((await change({ version: versions?.ids[1] })).status).to.equal(200)
    expect(await told()).to.deep.include({ messages: longer.messages, head: longer.head })
  })

  it('are those of a message that was changed, which goes on where its branch ended', async () => {
    await say('hello', 'u1')
    await say('good morning', 'u2')
    const before = await told()
    await say('hello!', 'u1')
    const after = await told()
    expect(textsOf(after)[0]).to.equal('hello!')
    const [versions] = after.versions ?? []
    expect(versions).to.deep.include({ messageId: 'u1', current: 1 })
    await change({ version: versions?.ids[0] })
    expect(textsOf(await told())).to.deep.equal(textsOf(before))
    await say('calculate', 'u3')
    expect((await told()).messages).to.have.length(6)
  })

  it('are told of what followed the last message elsewhere', async () => {
    await say('hello', 'u1')
    await say('good morning', 'u2')
    const before = await told()
    expect((await change({ head: before.messages[1]?.id })).status).to.equal(200)
    const [versions, ...others] = (await told()).versions ?? []
    expect(others).to.deep.equal([])
    expect(Object.keys(versions ?? {})).to.deep.equal(['ids'])
    await change({ version: versions?.ids[0] })
    expect(await told()).to.deep.include({ messages: before.messages, head: before.head })
  })

  it('take the id of each message that a page is told as the head, with its whole answer', async () => {
    await say('calculate', 'u1')
    await say('good morning', 'u2')
    const before = await told()
    for (const [at, { id }] of [...before.messages.entries()].reverse()) {
      expect((await change({ head: id })).status).to.equal(200)
      expect((await told()).messages).to.deep.equal(before.messages.slice(0, at + 1))
    }
  })

  it('name the one in the history where a changed message has the id of the old one', async () => {
    await say('hello', 'u1')
    await say('hello!', 'u1')
    await change({ head: 'u1' })
    expect(textsOf(await told())).to.deep.equal(['hello!'])
    const { json } = await served.ask('/api/conversations/c1/branch', { body: { messageId: 'u1' } })
    const [first] = await served.history(String(json['id']))
    expect(first?.parts[0]?.text).to.equal('hello!')
  })

  it('refuse an unknown one, and one beside a head', async () => {
    await say('hello', 'u1')
    const unknown = await change({ version: 'nothing' })
    expect([unknown.status, unknown.json['error']?.['code']]).to.deep.equal([404, 'ENTRY_UNKNOWN'])
    const both = await change({ version: 'nothing', head: null })
    expect([both.status, both.json['error']?.['code']]).to.deep.equal([400, 'REQUEST_INVALID'])
    expect((await told()).messages).to.have.length(2)
  })

  it('are the same where a summary stands in place of the older messages', async () => {
    const storage = memoryStorage()
    await served.close()
    served = await Served.start({ storage })
    await say('hello', 'u1')
    const { head } = await told()
    const marker = { id: 'm1', kind: 'compaction', summary: 's', archive: 'a' } as const
    await storage.conversations.append('ada', 'c1', { entries: [marker] }, 1)
    await say('good morning', 'u2')
    const before = await told()
    await change({ head })
    await say('calculate', 'u3')
    const [versions] = (await told()).versions ?? []
    expect(versions).to.deep.include({ messageId: 'u3', current: 1 })
    await change({ version: versions?.ids[0] })
    expect((await told()).messages).to.deep.equal(before.messages)
  })
})
