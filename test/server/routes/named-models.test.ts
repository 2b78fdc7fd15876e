import { expect } from 'chai'
import { chatBody, Served, user } from './served.ts'

const messages = [{ role: 'user', content: 'hi', id: 'm' }]
const agUi = { threadId: 't', runId: 'r', tools: [], context: [], state: {}, messages }

/** Requests that name no model, and those that name one, with the field of the name. */
const WIRES: readonly (readonly [path: string, body: object, field: string])[] = [
  ['/v1/chat/completions', { messages }, 'model'],
  ['/v1/responses', { input: 'hi' }, 'model'],
  ['/v1/messages', { messages, max_tokens: 9 }, 'model'],
  ['/api/chat', chatBody('c', [user('q', 'hi')], { agent: undefined }), '/agent'],
  ['/ag-ui', agUi, '/forwardedProps/agent'],
]

describe('a request of a published model', () => {
  let served: Served
  beforeEach(async () => {
    served = await Served.start()
  })
  afterEach(() => served.close())

  it('must name it in the APIs of OpenAI and Anthropic, and gets the first elsewhere', async () => {
    for (const [path, body] of WIRES) {
      const { status, text } = await served.ask(path, { body })
      const isNamed = path.startsWith('/v1/')
      expect(status, path).to.equal(isNamed ? 400 : 200)
      if (isNamed) expect(text, path).to.include('\\"model\\" is missing')
    }
    const { status, json } = await served.ask('/api/conversations', { body: {} })
    expect([status, json['agent']]).to.deep.equal([201, 'quick'])
  })

  it('that does not exist is told where its name stands', async () => {
    for (const [path, body, field] of WIRES) {
      const name = path.startsWith('/v1/') ? { model: 'nope' } : { agent: 'nope' }
      const named = path === '/ag-ui' ? { forwardedProps: name } : name
      const { status, text } = await served.ask(path, { body: { ...body, ...named } })
      expect(status, path).to.equal(404)
      expect(text, path).to.include(path === '/v1/messages' ? 'model: ' : `"${field}"`)
    }
  })
})
