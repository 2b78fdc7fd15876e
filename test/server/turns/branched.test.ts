import { expect } from 'chai'
import { memoryStorage } from '../../../src/agent/memory-storage/index.ts'
import type { Storage } from '../../../src/agent/storage/index.ts'
import { chatBody, Served, type ShownMessage, user } from '../routes/served.ts'

const answer = (id: string, text = 'as told') => ({
  id,
  role: 'assistant',
  parts: [{ type: 'step-start' }, { type: 'text', text }],
})

describe('new messages of a request with its whole history', () => {
  let served: Served
  let storage: Storage
  beforeEach(async () => {
    storage = memoryStorage()
    served = await Served.start({ storage })
  })
  afterEach(() => served.close())

  /** Sends messages as `useChat` does, and returns the id of the answer. */
  async function say(messages: readonly object[], more: object = {}): Promise<string> {
    const { text } = await served.ask('/api/chat', { body: chatBody('c1', messages, more) })
    return /"messageId":"([^"]+)"/.exec(text)?.[1] ?? text
  }

  const textOf = ({ parts }: ShownMessage) => parts.map(({ text }) => text ?? '').join('')
  const said = async () => (await served.history('c1')).map(textOf)
  const asked = async () =>
    (await served.history('c1')).filter(({ role }) => role === 'user').map(textOf)
  const entries = async () => (await storage.conversations.entries('ada', 'c1')).length

  it('follow the answer that they stand behind, so that a later message is taken back', async () => {
    const a1 = await say([user('u1', 'hello')])
    await say([user('u1', 'hello'), answer(a1), user('u2', 'good morning')])
    await say([user('u1', 'hello'), answer(a1), user('u2b', 'so?')])
    expect(await asked()).to.deep.equal(['hello', 'so?'])
    const { text } = await served.ask('/api/conversations/c1?sdk=7')
    const [versions] = JSON.parse(text).versions
    expect(versions).to.deep.include({ messageId: 'u2b', current: 1 })
    await served.ask('/api/conversations/c1', {
      method: 'PATCH',
      body: { version: versions.ids[0] },
    })
    expect(await asked()).to.deep.equal(['hello', 'good morning'])
  })

  it('follow all steps of that answer', async () => {
    const a1 = await say([user('u1', 'calculate')])
    const [, , ...before] = await said()
    expect(before).to.deep.equal([])
    const first = await said()
    await say([user('u1', 'calculate'), answer(a1), user('u2', 'hello')])
    await say([user('u1', 'calculate'), answer(a1), user('u2b', 'so?')])
    expect((await said()).slice(0, 3)).to.deep.equal([...first, 'so?'])
  })

  it('go on with another branch, where the answer before them is on that', async () => {
    const a1 = await say([user('u1', 'hello')])
    const second = await say([user('u1', 'so?')])
    expect(await asked()).to.deep.equal(['so?'])
    await say([user('u1', 'hello'), answer(a1), user('u2', 'good morning')])
    expect(await asked()).to.deep.equal(['hello', 'good morning'])
    await say([user('u1', 'so?'), answer(second), user('u3', 'calculate')])
    expect(await asked()).to.deep.equal(['so?', 'calculate'])
    await say([user('u1', 'hello'), answer(a1), user('u2', 'good evening')])
    expect(await asked()).to.deep.equal(['hello', 'good evening'])
  })

  it('follow the last answer where the client sends the end of its history', async () => {
    const a1 = await say([user('u1', 'hello')])
    const a2 = await say([user('u1', 'hello'), answer(a1), user('u2', 'so?')])
    await say([answer(a2), user('u3', 'good morning')])
    await say([user('u4', 'calculate')])
    expect(await asked()).to.deep.equal(['hello', 'so?', 'good morning', 'calculate'])
  })

  it('follow the last answer where the server knows no message of the request', async () => {
    await say([user('u1', 'hello')])
    await say([user('x1', 'hello'), answer('x2'), user('x3', 'so?')])
    await say([user('y1', 'hello'), answer('y2'), user('y3', 'good morning')])
    expect(await asked()).to.deep.equal(['hello', 'so?', 'good morning'])
  })

  it('follow an answer that the client has lost, or has in a form of its own', async () => {
    await say([user('u1', 'hello')])
    await say([user('u1', 'hello'), answer('x1'), user('u2', 'so?')])
    await say([user('u1', 'hello'), user('u2', 'so?'), user('u3', 'good morning')])
    expect(await asked()).to.deep.equal(['hello', 'so?', 'good morning'])
    await say([user('u1', 'hello'), answer('x1'), user('u2b', 'calculate')])
    expect(await asked()).to.deep.equal(['hello', 'calculate'])
    expect((await said())[1]).to.include('hello')
  })

  it('keep a summary that stands behind the answer which they follow', async () => {
    const a1 = await say([user('u1', 'hello')])
    const marker = { id: 'm1', kind: 'compaction', summary: 's', archive: 'a' } as const
    await storage.conversations.append('ada', 'c1', { entries: [marker] }, 1)
    const a2 = await say([user('u1', 'hello'), answer(a1), user('u2', 'so?')])
    await say([user('u1', 'hello'), answer(a1), user('u2', 'so?'), answer(a2), user('u3', 'well')])
    await say([user('u1', 'hello'), answer(a1), user('u2b', 'good morning')])
    expect(await asked()).to.deep.equal(['hello', 'good morning'])
    const path = await storage.conversations.history('ada', 'c1')
    expect(path.map(({ kind }) => kind)).to.include('compaction')
  })

  it('are refused while another answer is coming, and change nothing', async () => {
    const a1 = await say([user('u1', 'hello')])
    const messages = [user('u1', 'hello'), answer(a1), user('u2', 'count')]
    const slow = await served.fetch('/api/chat', {
      body: chatBody('c1', messages, { agent: 'careful' }),
    })
    const other = [user('u1', 'hello'), answer(a1), user('u2b', 'so?')]
    const before = await entries()
    const refused = await served.ask('/api/chat', { body: chatBody('c1', other) })
    expect([refused.status, refused.json['code']]).to.deep.equal([409, 'CONVERSATION_BUSY'])
    expect(await entries()).to.equal(before)
    await slow.text()
    expect(await asked()).to.deep.equal(['hello', 'count'])
  })

  it('begin the conversation anew where the client says that they are its whole history', async () => {
    const whole = { wholeHistory: true }
    const a1 = await say([user('u1', 'hello')], whole)
    await say([user('u1', 'hello'), answer(a1), user('u2', 'so?')], whole)
    await say([user('u1b', 'good morning')], whole)
    expect(await asked()).to.deep.equal(['good morning'])
    await say([user('u1b', 'good morning')], whole)
    expect(await said()).to.have.length(2)
    await say([user('x1', 'good morning'), answer('x2'), user('x3', 'calculate')], whole)
    expect(await asked()).to.deep.equal(['good morning', 'calculate'])
    const body = {
      threadId: 'c1',
      runId: 'r1',
      messages: [{ id: 'u1c', role: 'user', content: 'so?' }],
      forwardedProps: { agent: 'quick', ...whole },
    }
    await served.ask('/ag-ui', { body })
    expect(await asked()).to.deep.equal(['so?'])
  })

  it('may change a message of another branch', async () => {
    const a1 = await say([user('u1', 'hello')])
    await say([user('u1', 'hello'), answer(a1), user('u2', 'so?')])
    await say([user('u1', 'good morning')])
    await say([user('u1', 'hello'), answer(a1), user('u2', 'calculate')])
    expect(await asked()).to.deep.equal(['hello', 'calculate'])
  })

  it('are the same in AG-UI, whose answers are several messages', async () => {
    const run = async (messages: readonly object[]) => {
      const more = { state: {}, tools: [], context: [], forwardedProps: { agent: 'quick' } }
      const body = { threadId: 'c1', runId: `r${messages.length}`, messages, ...more }
      const { text } = await served.ask('/ag-ui', { body })
      const ids = [...text.matchAll(/TEXT_MESSAGE_START","messageId":"([^"]+)"/g)]
      return ids.map(([, id]) => ({ id, role: 'assistant', content: 'as told' }))
    }
    const says = (id: string, content: string) => ({ id, role: 'user', content })
    const first = [says('u1', 'calculate')]
    const history = [...first, ...(await run(first))]
    const more = await run([...history, says('u2', 'so?')])
    await run([...history, says('u2', 'so?'), ...more, says('u3', 'good morning')])
    expect(await asked()).to.deep.equal(['calculate', 'so?', 'good morning'])
    await run([...history, says('u2b', 'hello')])
    expect(await asked()).to.deep.equal(['calculate', 'hello'])
    await run([...history, says('u2', 'so?'), ...more, says('u4', 'good evening')])
    expect(await asked()).to.deep.equal(['calculate', 'so?', 'good evening'])
  })
})

describe('a request for another answer', () => {
  let served: Served
  beforeEach(async () => {
    served = await Served.start()
  })
  afterEach(() => served.close())

  async function say(messages: readonly object[], more: object = {}): Promise<string> {
    const { text } = await served.ask('/api/chat', { body: chatBody('c1', messages, more) })
    return /"messageId":"([^"]+)"/.exec(text)?.[1] ?? text
  }
  const again = (messages: readonly object[], more: object = {}) =>
    say(messages, { trigger: 'regenerate-message', ...more })
  const said = async () =>
    (await served.history('c1')).map(({ parts }) => parts.map(({ text }) => text ?? '').join(''))

  it('sends its message where that never reached the server', async () => {
    const a1 = await say([user('u1', 'hello')])
    await again([user('u1', 'hello'), answer(a1), user('u2', 'good morning')])
    const all = await said()
    expect(all).to.have.length(4)
    expect(all[2]).to.equal('good morning')
    await again([user('u3', 'good evening')], { messageId: 'u3' })
    expect((await said()).slice(4)).to.deep.equal([
      'good evening',
      'A greeting.You said: good evening',
    ])
  })

  it('changes its message where that has another text', async () => {
    const a1 = await say([user('u1', 'hello')])
    await again([user('u1', 'good morning')], { messageId: a1 })
    expect(await said()).to.deep.equal(['good morning', 'A greeting.You said: good morning'])
  })

  it('is for the last message that the client has left', async () => {
    const a1 = await say([user('u1', 'hello')])
    await say([user('u1', 'hello'), answer(a1), user('u2', 'good morning')])
    await again([user('u1', 'hello')])
    expect(await said()).to.deep.equal(['hello', 'A greeting.You said: hello'])
  })

  it('is for the last stored message where the client has other ids for all', async () => {
    await say([user('u1', 'hello')])
    await again([user('x1', 'hello')])
    expect(await said()).to.have.length(2)
  })

  it('is for a message of another branch', async () => {
    const a1 = await say([user('u1', 'hello')])
    await say([user('u1', 'good morning')])
    await again([user('u1', 'hello')], { messageId: a1 })
    expect(await said()).to.deep.equal(['hello', 'A greeting.You said: hello'])
  })
})
