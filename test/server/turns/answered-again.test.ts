import { expect } from 'chai'
import scripted from '../../../providers/scripted/index.ts'
import { memoryStorage } from '../../../src/agent/memory-storage/index.ts'
import type { Storage } from '../../../src/agent/storage/index.ts'
import { eventProvider } from '../../helpers/plugins.ts'
import { type Answered, chatBody, Served, user } from '../routes/served.ts'

/** A message of AG-UI, as its client keeps it. */
interface Said {
  readonly id: string
  readonly role: string
  readonly content?: string
}

const q1 = { id: 'u1', role: 'user', content: 'one' }
const q2 = { id: 'u2', role: 'user', content: 'two' }

describe('a message of AG-UI that is answered already', () => {
  let storage: Storage
  let served: Served
  let count: number
  let runs: number

  /** A server whose model numbers its answers. */
  function serve(): Promise<Served> {
    const answer = () => [
      { type: 'text-start', id: 't' },
      { type: 'text-delta', id: 't', delta: `Answer ${++count}` },
      { type: 'text-end', id: 't' },
    ]
    const counting = { ...eventProvider([]), name: 'counting', stream: answer }
    const config = { provider: 'counting', model: 'm' }
    return Served.start(
      { storage, models: { quick: {} } },
      { plugins: [scripted, counting], config },
    )
  }

  beforeEach(async () => {
    storage = memoryStorage()
    count = 0
    runs = 0
    served = await serve()
  })
  afterEach(() => served.close())

  const bodyOf = (messages: readonly object[], more: object = {}) => ({
    threadId: 'talk',
    runId: `r${++runs}`,
    messages,
    tools: [],
    context: [],
    forwardedProps: { agent: 'quick' },
    ...more,
  })
  const ask = (messages: readonly object[], more?: object) =>
    served.ask('/ag-ui', { body: bodyOf(messages, more) })

  /** The answer of a response, as the client keeps it. */
  function answerIn({ text, status }: Answered): Said {
    expect(status, text).to.equal(200)
    const id = /"TEXT_MESSAGE_START","messageId":"([^"]+)"/.exec(text)?.[1] ?? ''
    const content = [...text.matchAll(/"delta":"([^"]*)"/g)].map(([, delta]) => delta).join('')
    return { id, role: 'assistant', content }
  }

  const textOf = (answered: Answered) => answerIn(answered).content

  it('is answered anew where the client was sent the whole answer', async () => {
    expect(textOf(await ask([q1]))).to.equal('Answer 1')
    expect(textOf(await ask([q1]))).to.equal('Answer 2')
    expect(await said()).to.deep.equal(['one', 'Answer 2'])
  })

  it('is answered anew where the conversation went on after it', async () => {
    const a1 = answerIn(await ask([q1]))
    await ask([q1, a1, q2])
    expect(textOf(await ask([q1]))).to.equal('Answer 3')
    expect(await said()).to.deep.equal(['one', 'Answer 3'])
    await served.close()
    served = await serve()
    const again = [q1, { id: 'a3', role: 'assistant', content: 'Answer 3' }, { ...q2, id: 'u3' }]
    expect(textOf(await ask(again))).to.equal('Answer 4')
    expect(textOf(await ask([q1]))).to.equal('Answer 5')
  })

  it('is answered as before to the same run of the client, also after others', async () => {
    const a1 = answerIn(await ask([q1], { runId: 'same' }))
    expect(textOf(await ask([q1], { runId: 'same' }))).to.equal('Answer 1')
    await ask([q1, a1, q2])
    expect(textOf(await ask([q1], { runId: 'same' }))).to.equal('Answer 1')
    expect(await said()).to.deep.equal(['one', 'Answer 1', 'two', 'Answer 2'])
  })

  it('is answered as before where the connection was lost before the end', async () => {
    const lost = await served.fetch('/ag-ui', { body: bodyOf([q1]) })
    const runId = lost.headers.get('x-run-id')
    const events = served.ask(`/runs/${runId}/events`)
    await lost.body?.cancel()
    await events
    expect(textOf(await ask([q1]))).to.equal('Answer 1')
    expect(textOf(await ask([q1]))).to.equal('Answer 2')
  })

  it('is answered as before by a server that did not send the answer', async () => {
    await ask([q1])
    await served.close()
    served = await serve()
    expect(textOf(await ask([q1]))).to.equal('Answer 1')
  })

  it('is answered as before to a page of the AI SDK, whatever was said after it', async () => {
    const page = (...messages: readonly object[]) =>
      served.ask('/api/chat?sdk=6', { body: chatBody('talk', messages) })
    await page(user('u1', 'one'))
    await page(user('u2', 'two'))
    expect((await page(user('u1', 'one'))).text).to.include('Answer 1')
    expect(await said()).to.deep.equal(['one', 'Answer 1', 'two', 'Answer 2'])
  })

  async function said(): Promise<readonly string[]> {
    const messages = await served.history('talk')
    return messages.map(({ parts }) => parts.map(({ text }) => text ?? '').join(''))
  }
})
