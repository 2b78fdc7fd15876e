import { expect } from 'chai'
import { systemEnvironment } from '../../../src/agent/environment.ts'
import type { Storage } from '../../../src/agent/index.ts'
import { memoryStorage } from '../../../src/agent/memory-storage/index.ts'
import { type Answered, type Asked, type JsonAnswer, Served } from './served.ts'

const HOUR = 60 * 60_000
const LOCATE = { type: 'function', name: 'locate', parameters: { type: 'object', properties: {} } }

interface Shown {
  readonly id: string
  readonly output: readonly { readonly id: string; readonly type: string }[]
}

describe('responses that a server keeps', () => {
  let now: number
  let served: Served
  let storage: Storage
  beforeEach(async () => {
    storage = memoryStorage()
    now = 1_700_000_000_000
    const environment = { ...systemEnvironment, now: () => now }
    served = await Served.start({ keepResponses: HOUR, storage, environment })
  })
  afterEach(() => served.close())

  const ask = (more: object, as?: Asked['as']): Promise<Answered> =>
    served.ask('/v1/responses', {
      body: { model: 'quick', input: 'hello', ...more },
      ...(as ? { as } : {}),
    })
  const begun = async (more: object = {}): Promise<Shown> =>
    JSON.parse((await ask(more)).text) as Shown
  const reference = (id: string) => ({ type: 'item_reference', id })
  const said = ({ json }: Answered) => JSON.stringify(json['output'])
  const errorIn = ({ json }: Answered): JsonAnswer => json['error'] ?? {}

  it('are kept where the request does not say, and not where it says no', async () => {
    const { id } = await begun()
    expect((await served.ask(`/v1/responses/${id}`)).json).to.deep.include({ store: true })
    const unkept = await begun({ store: false })
    expect((await served.ask(`/v1/responses/${unkept.id}`)).status).to.equal(404)
    expect((await served.ask('/api/conversations')).json['conversations']).to.deep.equal([])
  })

  it('expire by their hours, judged when they are read, and are deleted by the upkeep', async () => {
    const { id, output } = await begun()
    const { id: asked } = await begun({ store: true })
    now += HOUR - 1
    expect((await served.ask(`/v1/responses/${id}`)).status).to.equal(200)
    now += 1
    const { id: item = '' } = output.at(-1) ?? {}
    const attempts = [
      served.ask(`/v1/responses/${id}`),
      served.ask(`/v1/responses/${id}/input_items`),
    ]
    for (const { status } of await Promise.all(attempts)) expect(status).to.equal(404)
    const { json, status } = await ask({ previous_response_id: id })
    expect(status).to.equal(400)
    const gone = { code: 'previous_response_not_found', param: 'previous_response_id' }
    expect(json['error']).to.include(gone)
    expect((await ask({ input: [reference(item)] })).status).to.equal(400)
    expect((await served.ask(`/v1/responses/${asked}`)).status, 'asked for').to.equal(200)
    expect(await storage.conversations.expire(now + 1)).to.be.above(0)
    expect(await storage.runs.load('ada', id.replace('resp_', ''))).to.equal(undefined)
  })

  it('are kept longer by what continues them, and for good where that asks for it', async () => {
    const { id } = await begun()
    now += HOUR / 2
    const { id: second } = await begun({ previous_response_id: id })
    now += HOUR / 2
    expect((await served.ask(`/v1/responses/${id}`)).status).to.equal(200)
    await begun({ previous_response_id: second, store: true })
    now += 2 * HOUR
    expect((await served.ask(`/v1/responses/${second}`)).status).to.equal(200)
  })

  it('are what item references stand for, with what the provider needs of them', async () => {
    const first = await begun({ input: 'both', tools: [LOCATE] })
    const types = first.output.map(({ type }) => type)
    expect(types).to.deep.equal(['reasoning', 'function_call', 'mcp_call'])
    const call = (first.output[1] as unknown as { call_id: string }).call_id
    const answer = await ask({
      tools: [LOCATE],
      input: [
        { role: 'user', content: 'both' },
        ...first.output.map(({ id }) => reference(id)),
        { type: 'function_call_output', call_id: call, output: 'there' },
      ],
    })
    expect(said(answer)).to.include('Rome is at there.')
    const typeless = await ask({
      input: [{ id: first.output[0]?.id }, { role: 'user', content: 'x' }],
    })
    expect(said(typeless)).to.include('You said: x')
  })

  it('are no items of others, and none of ids that are no ids', async () => {
    const { output, id } = await begun()
    const { id: item = '' } = output.at(-1) ?? {}
    const refused = await ask({ input: [reference(item)] }, 'bob')
    expect(refused.status).to.equal(400)
    expect(errorIn(refused)['param']).to.equal('input[0].id')
    for (const wrong of [
      '',
      'x',
      id,
      `${item}0`,
      'msg_\u0000_0',
      '__proto__',
      `msg_${'a'.repeat(999)}_0`,
    ]) {
      const answer = await ask({ input: [reference(wrong), { role: 'user', content: 'x' }] })
      expect(answer.status, wrong).to.equal(400)
      expect(errorIn(answer)['param'], wrong).to.equal('input[0].id')
    }
    await served.ask(`/v1/responses/${id}`, { method: 'DELETE' })
    expect((await ask({ input: [reference(item)] })).status).to.equal(400)
  })

  it('can be continued by a response that is not kept', async () => {
    const first = await begun({ input: 'locate', tools: [LOCATE] })
    const call = first.output.find(({ type }) => type === 'function_call')
    const { call_id } = call as unknown as { call_id: string }
    const next = await ask({
      store: false,
      previous_response_id: first.id,
      input: [{ type: 'function_call_output', call_id, output: 'there' }],
    })
    expect(said(next)).to.include('Rome is at there.')
    expect(next.json['store']).to.equal(false)
    expect((await served.ask(`/v1/responses/${String(next.json['id'])}`)).status).to.equal(404)
    const { text } = await served.ask(`/v1/responses/${first.id}/input_items`)
    expect(text).to.not.include('there')
    expect((await storage.usage('ada')).conversations).to.equal(1)
  })

  it('leave their items with their ids in a conversation when they are deleted', async () => {
    const { json } = await served.ask('/v1/conversations', { body: {} })
    const id = String(json['id'])
    const { id: response } = await begun({ input: 'both', tools: [LOCATE], conversation: id })
    const list = async () => (await served.ask(`/v1/conversations/${id}/items`)).json
    const before = await list()
    await served.ask(`/v1/responses/${response}`, { method: 'DELETE' })
    expect(await list()).to.deep.equal(before)
  })

  it('are deleted with what was said, once no other response continues from it', async () => {
    for (const store of [undefined, true]) {
      const { id } = await begun({ input: 'zebra', store })
      const { id: next } = await begun({ input: 'lion', store, previous_response_id: id })
      const remove = (response: string) =>
        served.ask(`/v1/responses/${response}`, { method: 'DELETE' })
      const { conversations } = await storage.usage('ada')
      expect((await remove(id)).status).to.equal(200)
      expect((await storage.usage('ada')).conversations).to.equal(conversations)
      expect((await ask({ input: 'more', previous_response_id: next })).status).to.equal(200)
      expect((await remove(next)).status).to.equal(200)
      const [last] = await storage.runs.listOwned('ada')
      expect((await remove(`resp_${last?.id}`)).status).to.equal(200)
      expect((await storage.usage('ada')).conversations).to.equal(conversations - 1)
      expect((await remove(next)).status).to.equal(404)
    }
  })

  it('leave a conversation that existed before them', async () => {
    await served.ask('/api/conversations', { body: { id: 'mine' } })
    const { id } = await begun({ conversation: 'mine' })
    const { id: next } = await begun({ previous_response_id: id })
    for (const response of [id, next]) {
      await served.ask(`/v1/responses/${response}`, { method: 'DELETE' })
    }
    const { json } = await served.ask('/api/conversations/mine')
    expect(json['messages']).to.have.length(4)
  })

  it('list what their requests brought, each alone', async () => {
    const { id } = await begun({
      input: [
        { role: 'user', content: 'one' },
        {
          role: 'user',
          content: [{ type: 'input_image', image_url: 'data:image/png;base64,aGk=' }],
        },
      ],
    })
    const { id: next } = await begun({ input: 'two', previous_response_id: id })
    const list = async (of: string) =>
      JSON.parse((await served.ask(`/v1/responses/${of}/input_items?order=asc`)).text) as {
        readonly data: readonly { readonly id: string; readonly content: readonly object[] }[]
      }
    const { data } = await list(id)
    expect(data.map(({ content }) => content[0])).to.deep.equal([
      { type: 'input_text', text: 'one' },
      {
        type: 'input_image',
        detail: 'auto',
        file_id: null,
        image_url: 'data:image/png;base64,aGk=',
      },
    ])
    expect((await list(next)).data).to.have.length(1)
    const again = await ask({ previous_response_id: next, input: [reference(data[0]?.id ?? '')] })
    expect(said(again), 'an item of the same conversation').to.include('You said: one')
  })

  it('continue either a response or a conversation', async () => {
    const { id } = await begun()
    const both = await ask({ previous_response_id: id, conversation: 'c' })
    expect([both.status, errorIn(both)['param']]).to.deep.equal([400, 'conversation'])
  })
})

describe('a server whose room for a caller is used up', () => {
  it('answers without keeping the response, unless the request asks for that', async () => {
    const served = await Served.start({ keepResponses: HOUR, limits: { conversations: 1 } })
    const ask = (more: object = {}) =>
      served.ask('/v1/responses', { body: { model: 'quick', input: 'hello', ...more } })
    expect((await ask()).json).to.deep.include({ status: 'completed', store: true })
    expect((await ask()).json).to.deep.include({ status: 'completed', store: false })
    expect((await ask({ store: true })).status).to.equal(413)
    await served.close()
  })
})

describe('a server that keeps no responses', () => {
  it('says what to do about a reference, to the developer of a client and to its operator', async () => {
    const served = await Served.start()
    const input = [{ type: 'item_reference', id: 'rs_1_0' }]
    const { text } = await served.ask('/v1/responses', { body: { model: 'quick', input } })
    expect(text).to.include('server.keep_responses').and.include('\\"store\\": false')
    await served.close()
  })
})
