import { expect } from 'chai'
import { memoryStorage } from '../../src/agent/memory-storage/index.ts'
import type { Storage } from '../../src/agent/storage/index.ts'
import { Served, user } from './routes/served.ts'

const says = (text: string) => ({
  config: { settings: { scripted: { delay_ms: 0, script: [{ then: { text } }] } } },
})
const MODELS = { first: says('I am the first.'), helper: says('I help.') }

describe('a request that names no agent', () => {
  let storage: Storage
  let served: Served
  beforeEach(async () => {
    storage = memoryStorage()
    served = await Served.start({ storage, models: MODELS })
  })
  afterEach(() => served.close())

  const create = (agent?: string) =>
    served.ask('/api/conversations', { body: { id: 'talk', ...(agent ? { agent } : {}) } })
  const chat = (more: object = {}, headers: { readonly [name: string]: string } = {}) => {
    const body = { id: 'talk', messages: [user('u', 'hi')], ...more }
    return served.ask('/api/chat', { body, headers })
  }
  const agUi = (forwardedProps: object = {}) => {
    const messages = [{ id: 'm', role: 'user', content: 'hi' }]
    const about = { runId: 'r', state: {}, tools: [], context: [] }
    return served.ask('/ag-ui', { body: { threadId: 'talk', ...about, messages, forwardedProps } })
  }

  for (const [name, ask] of Object.entries({ 'a chat page': chat, 'AG-UI': agUi })) {
    it(`by ${name} is answered by the agent of its conversation`, async () => {
      await create('helper')
      expect((await ask()).text)
        .to.include('help')
        .and.not.include('first')
      expect((await storage.runs.last('ada', 'talk'))?.order).to.include({ agent: 'helper' })
    })

    it(`by ${name} is answered by the first agent in a conversation that is new`, async () => {
      expect((await ask()).text).to.include('first')
      expect(await storage.conversations.load('ada', 'talk')).to.include({ agent: 'first' })
    })

    it(`by ${name} is refused where the agent of its conversation is published no more`, async () => {
      await create('helper')
      await served.close()
      served = await Served.start({ storage, models: { first: MODELS.first } })
      const refused = await ask()
      expect(refused.text).to.include('MODEL_UNPUBLISHED').and.include('helper')
      expect(await storage.runs.last('ada', 'talk')).to.equal(undefined)
    })
  }

  it('is not one that names another than its conversation, which is the one that answers', async () => {
    await create('helper')
    expect((await chat({ agent: 'first' })).text).to.include('first')
    const other = await agUi({ agent: 'first' })
    expect(other.text).to.include('first')
  })

  it('is the same request when it is repeated in the conversation that it began', async () => {
    const key = { 'idempotency-key': 'k' }
    const first = await chat({}, key)
    const again = await chat({}, key)
    expect([again.status, again.headers.get('x-run-id')]).to.deep.equal([
      200,
      first.headers.get('x-run-id'),
    ])
  })
})
