import { expect } from 'chai'
import scripted from '../../../providers/scripted/index.ts'
import { memoryStorage } from '../../../src/agent/memory-storage/index.ts'
import type { Storage } from '../../../src/agent/storage/index.ts'
import askUser from '../../../tools/ask-user/index.ts'
import { type Answered, Served } from '../routes/served.ts'

const QUESTION = { question: 'Which color?', options: ['red', 'blue'] }
const CALL = { name: 'ask_user', input: QUESTION }
const SCRIPT = [
  { when: { equals: 'one', step: 1 }, then: { tool_calls: [CALL] } },
  { when: { equals: 'two', step: 1 }, then: { tool_calls: [CALL, CALL] } },
  { then: { text: 'Painted.' } },
]
const config = { enabled_plugins: ['ask-user'], settings: { scripted: { script: SCRIPT } } }
const GONE = 'It has another answer already, which counts.'

describe('a second answer to an interrupt of AG-UI', () => {
  let storage: Storage
  let served: Served
  let runs: number

  beforeEach(async () => {
    runs = 0
    storage = memoryStorage()
    const plugins = [scripted, askUser]
    served = await Served.start({ storage, models: { quick: { config } } }, { plugins, config: {} })
  })
  afterEach(() => served.close())

  const ask = (more: object) =>
    served.ask('/ag-ui', {
      body: {
        threadId: 'talk',
        runId: `r${++runs}`,
        messages: [],
        tools: [],
        context: [],
        ...more,
      },
    })
  const resume = (ids: readonly string[], ...answers: readonly unknown[]) =>
    ask({
      resume: answers.map((answer, at) => {
        const interruptId = ids[at]
        if (answer === undefined) return { interruptId, status: 'cancelled' }
        return { interruptId, status: 'resolved', payload: { answer } }
      }),
    })

  async function begin(content: string): Promise<readonly string[]> {
    const { headers } = await ask({ messages: [{ id: 'u1', role: 'user', content }] })
    const asked = await storage.approvals.list('ada', headers.get('x-run-id') ?? '')
    return asked.map(({ id }) => id)
  }
  const storedValue = async (id = '') => (await storage.approvals.load('ada', id))?.answer?.value

  function assertRefused({ status, text }: Answered, pointer: string): void {
    expect(status, text).to.equal(410)
    const { code, message, metadata } = JSON.parse(text)
    expect([code, metadata.pointer]).to.deep.equal(['APPROVAL_EXPIRED', pointer])
    expect(message).to.include(GONE)
  }

  it('is refused if it is another one, also after further turns, and repeats the answer if it is equal', async () => {
    const ids = await begin('one')
    expect((await resume(ids, 'red')).text).to.include('Painted.')
    for (const other of ['blue', undefined]) {
      const pointer = other === undefined ? '/resume/0' : '/resume/0/payload/answer'
      assertRefused(await resume(ids, other), pointer)
    }
    expect((await resume(ids, 'red')).text).to.include('Painted.')
    await ask({ messages: [{ id: 'u2', role: 'user', content: 'three' }] })
    assertRefused(await resume(ids, 'blue'), '/resume/0/payload/answer')
    expect(await storedValue(ids[0])).to.equal('red')
  })

  it('keeps the answers beside it from being stored', async () => {
    const ids = await begin('two')
    expect((await resume(ids, 'red')).text).to.include('"type":"interrupt"')
    assertRefused(await resume(ids, 'blue', 'blue'), '/resume/0/payload/answer')
    expect(await storedValue(ids[1])).to.equal(undefined)
    expect((await resume(ids, 'red', 'blue')).text).to.include('Painted.')
  })

  it('is refused where both come at once', async () => {
    const ids = await begin('one')
    const answers = await Promise.all(['red', 'blue'].map((answer) => resume(ids, answer)))
    expect(answers.map(({ status }) => status).toSorted()).to.deep.equal([200, 410])
    const counted = answers[0]?.status === 200 ? 'red' : 'blue'
    expect(await storedValue(ids[0])).to.equal(counted)
  })

  it('has the place of an answer that does not fit in its error', async () => {
    const ids = await begin('two')
    const { status, text } = await resume(ids, 'red', 'green')
    expect([status, JSON.parse(text).metadata], text).to.deep.equal([
      400,
      { pointer: '/resume/1/payload/answer' },
    ])
    expect(await storedValue(ids[0])).to.equal(undefined)
  })
})
