import { expect } from 'chai'
import OpenAI from 'openai'
import { tokenAuthenticator } from '../../../src/server/index.ts'
import { failureOf } from './failure-of.ts'
import { type SocketServer, socketServer } from './socket-server.ts'

const TOKENS = { ada: 'ada-0123456789abcdef', bob: 'bob-0123456789abcdef' }
const LOCATE = {
  type: 'function',
  name: 'locate',
  description: 'Where a city is',
  parameters: { type: 'object', properties: { city: { type: 'string' } } },
  strict: false,
} as const

describe("conversations of OpenAI's client", () => {
  let server: SocketServer
  let ada: OpenAI
  let bob: OpenAI
  before(async () => {
    const authenticate = tokenAuthenticator([
      { token: TOKENS.ada, id: 'ada', role: 'admin' },
      { token: TOKENS.bob, id: 'bob' },
    ])
    server = await socketServer({ authenticate })
    const client = (apiKey: string) =>
      new OpenAI({ baseURL: `${server.url}/v1`, apiKey, maxRetries: 0 })
    ada = client(TOKENS.ada)
    bob = client(TOKENS.bob)
  })
  after(() => server.close())

  /** The items of a conversation, the first one first, by id, and as what they say. */
  async function itemsOf(id: string): Promise<readonly (readonly [id: string, said: string])[]> {
    const items: [string, string][] = []
    for await (const item of ada.conversations.items.list(id, { order: 'asc', limit: 2 })) {
      items.push([item.id ?? '', saidBy(item)])
    }
    return items
  }

  const ask = (input: string, more: object = {}) =>
    ada.responses.create({ model: 'quick', input, ...more })

  it('are created with items, read, changed and deleted', async () => {
    const made = await ada.conversations.create({
      metadata: { topic: 'cities' },
      items: [
        { type: 'message', role: 'user', content: 'Hi' },
        { type: 'message', role: 'assistant', content: 'Hello' },
      ],
    })
    expect(made).to.include({ object: 'conversation' })
    expect(made.metadata).to.deep.equal({ topic: 'cities' })
    expect(await ada.conversations.retrieve(made.id)).to.deep.equal(made)
    const changed = await ada.conversations.update(made.id, { metadata: { topic: 'towns' } })
    expect(changed.metadata).to.deep.equal({ topic: 'towns' })
    expect((await itemsOf(made.id)).map(([, said]) => said)).to.deep.equal(['user: Hi', 'Hello'])
    expect(await ada.conversations.delete(made.id)).to.deep.equal({
      id: made.id,
      object: 'conversation.deleted',
      deleted: true,
    })
    const gone = await failureOf(ada.conversations.retrieve(made.id))
    expect(gone).to.be.instanceOf(OpenAI.NotFoundError)
  })

  it('grow with each response that names them, and the host’s calls are items too', async () => {
    const { id } = await ada.conversations.create({})
    const first = await ask('calculate', { conversation: id })
    expect(first.conversation).to.deep.equal({ id })
    const second = await ask('locate', { conversation: { id }, tools: [LOCATE] })
    const call = second.output.find((item) => item.type === 'function_call')
    const third = await ada.responses.create({
      model: 'quick',
      conversation: id,
      tools: [LOCATE],
      input: [{ type: 'function_call_output', call_id: call?.call_id ?? '', output: 'there' }],
    })
    expect(third.output_text).to.equal('Rome is at there.')
    const items = await itemsOf(id)
    expect(items.map(([, said]) => said.slice(0, 20))).to.deep.equal([
      'user: calculate',
      'reasoning',
      'mcp_call calculate',
      'It is {"expression":',
      'user: locate',
      'reasoning',
      'function_call locate',
      'function_call_output',
      'Rome is at there.',
    ])
    const written = [first, second, third].flatMap(({ output }) => output.map((item) => item.id))
    expect(items.map(([one]) => one)).to.include.members(written)
    const one = await ada.conversations.items.retrieve(items[3]?.[0] ?? '', { conversation_id: id })
    expect(saidBy(one)).to.match(/^It is/)
    const latest = await ada.conversations.items.list(id)
    expect(saidBy(latest.data[0]!)).to.equal('Rome is at there.')
  })

  it('take more items, with references to items that they have', async () => {
    const { id } = await ada.conversations.create({ items: [{ role: 'user', content: 'Hi' }] })
    const [[hi] = ['']] = await itemsOf(id)
    const added = await ada.conversations.items.create(id, {
      items: [
        { type: 'item_reference', id: hi },
        { role: 'user', content: [{ type: 'input_text', text: 'hello' }] },
      ],
    })
    expect(added.data.map(saidBy)).to.deep.equal(['user: Hi', 'user: hello'])
    expect((await itemsOf(id)).map(([, said]) => said)).to.deep.equal([
      'user: Hi',
      'user: Hi',
      'user: hello',
    ])
  })

  it('lose single items, and the model and references no longer find them', async () => {
    const { id } = await ada.conversations.create({})
    await ask('secret', { conversation: id })
    const { output } = await ask('calculate', { conversation: id })
    const before = await itemsOf(id)
    for (const [item, said] of before) {
      if (said.includes('secret') || said.includes('mcp_call')) {
        await ada.conversations.items.delete(item, { conversation_id: id })
      }
    }
    const after = await itemsOf(id)
    const kept = before.filter(([, said]) => !/secret|mcp_call/.test(said))
    expect(after, 'the others keep their ids').to.deep.equal(kept)
    const call = output.find((item) => item.type === 'mcp_call')?.id ?? ''
    const { error } = (await failureOf(
      ada.responses.create({ model: 'quick', input: [{ type: 'item_reference', id: call }] }),
    )) as { error?: { param?: string; message?: string } }
    expect(error?.param).to.equal('input[0].id')
    const last = await ask('hello', { conversation: id })
    expect(last.output_text).to.equal('You said: hello')
    const next = await ask('again', { conversation: id })
    expect(next.output_text).to.equal('You said: again')
    expect((await itemsOf(id)).slice(0, kept.length)).to.deep.equal(kept)
    const missing = { conversation_id: id }
    const gone = await failureOf(ada.conversations.items.retrieve(call, missing))
    expect(gone).to.be.instanceOf(OpenAI.NotFoundError)
  })

  it('are not there for others, nor are their items', async () => {
    const { id } = await ada.conversations.create({ items: [{ role: 'user', content: 'Hi' }] })
    const other = await ada.conversations.create({})
    const [[item] = ['']] = await itemsOf(id)
    const attempts = [
      () => bob.conversations.retrieve(id),
      () => bob.conversations.update(id, { metadata: {} }),
      () => bob.conversations.delete(id),
      () => bob.conversations.items.list(id),
      () => bob.conversations.items.create(id, { items: [] }),
      () => bob.conversations.items.retrieve(item, { conversation_id: id }),
      () => bob.conversations.items.delete(item, { conversation_id: id }),
      () => bob.responses.create({ model: 'quick', input: 'hi', conversation: id }),
      () => ada.conversations.items.retrieve(item, { conversation_id: other.id }),
      () => ada.conversations.items.delete(item, { conversation_id: other.id }),
      () => ada.conversations.items.retrieve('msg_nothing_0', { conversation_id: id }),
      () => ada.conversations.items.retrieve('..%2f', { conversation_id: id }),
    ]
    for (const attempt of attempts) {
      expect(await failureOf(attempt())).to.be.instanceOf(OpenAI.NotFoundError)
    }
    const stray = { type: 'item_reference', id: item } as const
    const elsewhere = await failureOf(
      ada.responses.create({ model: 'quick', conversation: other.id, input: [stray] }),
    )
    expect(elsewhere).to.be.instanceOf(OpenAI.BadRequestError)
    expect(await itemsOf(id)).to.have.length(1)
  })

  it('page through items in both directions, and refuse pages that are none', async () => {
    const items = ['a', 'b', 'c'].map((content) => ({ role: 'user' as const, content }))
    const { id } = await ada.conversations.create({ items })
    const page = await ada.conversations.items.list(id, { limit: 2 })
    expect(page.data.map(saidBy)).to.deep.equal(['user: c', 'user: b'])
    expect(page.has_more).to.equal(true)
    const last = await page.getNextPage()
    expect(last.data.map(saidBy)).to.deep.equal(['user: a'])
    expect(last.has_more).to.equal(false)
    for (const query of [{ limit: 0 }, { limit: 101 }, { order: 'up' as 'asc' }, { after: 'x' }]) {
      const refused = await failureOf(ada.conversations.items.list(id, query))
      expect(refused, JSON.stringify(query)).to.be.instanceOf(OpenAI.BadRequestError)
    }
  })

  it('end a run that goes on when they are deleted, and are then unknown', async () => {
    const { id } = await ada.conversations.create({})
    const stream = await ada.responses.create({
      model: 'slow',
      input: 'count',
      conversation: id,
      stream: true,
    })
    const types: string[] = []
    for await (const { type } of stream) {
      if (type === 'response.output_text.delta' && !types.includes(type)) {
        const busy = await failureOf(ada.conversations.items.create(id, { items: [] }))
        expect(busy).to.be.instanceOf(OpenAI.ConflictError)
        await ada.conversations.delete(id)
      }
      types.push(type)
    }
    expect(types.at(-1)).to.equal('response.failed')
    const next = await failureOf(ask('hi', { conversation: id }))
    expect(next).to.be.instanceOf(OpenAI.NotFoundError)
  })
})

function saidBy(item: OpenAI.Conversations.ConversationItem): string {
  if (item.type === 'message') {
    const text = item.content.map((part) => ('text' in part ? part.text : '')).join('')
    return item.role === 'assistant' ? text : `${item.role}: ${text}`
  }
  return 'name' in item ? `${item.type} ${item.name}` : item.type
}
