import { expect } from 'chai'
import { AgentServer } from './agent-server.ts'

const PATH = '/api/agents/helper'

describe('an agent that several admins change', () => {
  let server: AgentServer
  beforeEach(async () => {
    server = await AgentServer.start([{ id: 'declared' }])
  })
  afterEach(() => server.close())

  const put = (body: object, headers: Record<string, string>, path = PATH) =>
    server.served.ask(path, { method: 'PUT', body, headers })
  const tagOf = async (path = PATH) => (await server.served.ask(path)).headers.get('etag') ?? ''

  it('has an ETag, which changes with its spec and its name', async () => {
    const made = await put({ system_prompt: 'one' }, {})
    const first = await tagOf()
    expect(first).to.match(/^"[\w-]+"$/)
    expect(made.headers.get('etag')).to.equal(first)
    expect(await tagOf()).to.equal(first)
    await put({ system_prompt: 'two' }, {})
    const second = await tagOf()
    await server.served.ask(PATH, { method: 'PATCH', body: { name: 'Helper' } })
    expect(new Set([first, second, await tagOf()])).to.have.property('size', 3)
    expect(await tagOf('/api/agents/declared')).to.match(/^"[\w-]+"$/)
  })

  it('is stored where If-Match has its ETag, and not where somebody else has changed it', async () => {
    await put({ system_prompt: 'one' }, {})
    const tag = await tagOf()
    const own = await put({ system_prompt: 'mine' }, { 'if-match': tag })
    expect(own.status).to.equal(200)
    const late = await put({ system_prompt: 'theirs' }, { 'if-match': tag })
    expect(late.status).to.equal(412)
    expect(late.json['error']).to.include({ code: 'SPEC_CHANGED' })
    expect((await server.served.ask(PATH)).json['spec']).to.include({ system_prompt: 'mine' })
    const next = await put({}, { 'if-match': `"other", ${own.headers.get('etag')}` })
    expect(next.status).to.equal(200)
  })

  it('is stored once where two are sent at the same time', async () => {
    await put({ system_prompt: 'one' }, {})
    const headers = { 'if-match': await tagOf() }
    const both = [put({ system_prompt: 'two' }, headers), put({ system_prompt: 'three' }, headers)]
    const statuses = (await Promise.all(both)).map(({ status }) => status)
    expect(statuses.sort()).to.deep.equal([200, 412])
  })

  it('is not stored again by If-Match where somebody has deleted it', async () => {
    await put({}, {})
    const tag = await tagOf()
    await server.served.ask(PATH, { method: 'DELETE' })
    expect((await put({}, { 'if-match': tag })).status).to.equal(412)
    expect((await put({}, { 'if-match': '*' })).status).to.equal(412)
    expect((await server.served.ask(PATH)).status).to.equal(404)
  })

  it('is a new one by If-None-Match, or is not stored', async () => {
    const fresh = { 'if-none-match': '*' }
    expect((await put({ system_prompt: 'one' }, fresh)).status).to.equal(200)
    const again = await put({ system_prompt: 'two' }, fresh)
    expect(again.status).to.equal(412)
    expect((await server.served.ask(PATH)).json['spec']).to.include({ system_prompt: 'one' })
  })

  for (const [method, body] of [['PATCH', { name: 'Helper' }], ['DELETE']] as const) {
    it(`is changed by ${method} only where If-Match has its ETag`, async () => {
      await put({ system_prompt: 'one' }, {})
      const first = await tagOf()
      await put({ system_prompt: 'two' }, {})
      const change = (tag: string) =>
        server.served.ask(PATH, { method, headers: { 'if-match': tag }, ...(body ? { body } : {}) })
      const late = await change(first)
      expect(late.status).to.equal(412)
      expect(late.json['error']).to.include({ code: 'SPEC_CHANGED' })
      expect((await server.served.ask(PATH)).json).to.include({ name: 'helper' })
      expect((await change(await tagOf())).status).to.be.below(300)
      expect((await server.served.ask(PATH)).json['name']).to.equal(body?.name)
    })
  }

  it('is tried whatever it has become meanwhile', async () => {
    await put({}, {})
    const tried = await put({}, { 'if-match': '"other"' }, `${PATH}?trial=only`)
    expect(tried.status).to.equal(200)
  })
})

describe('a model that several admins change', () => {
  const MODEL = '/api/models/small'
  const SPEC = { provider_id: 'scripted', upstream_model: 'one' }
  let server: AgentServer
  beforeEach(async () => {
    server = await AgentServer.start([{ id: 'declared' }])
  })
  afterEach(() => server.close())

  const send = (method: 'PUT' | 'DELETE', headers: Record<string, string>, body?: object) =>
    server.served.ask(MODEL, { method, headers, ...(body ? { body } : {}) })

  it('has an ETag, by which alone it is stored and deleted', async () => {
    const fresh = { 'if-none-match': '*' }
    const first = (await send('PUT', fresh, SPEC)).headers.get('etag') ?? ''
    expect(first).to.match(/^"[\w-]+"$/)
    expect((await server.served.ask(MODEL)).headers.get('etag')).to.equal(first)
    expect((await send('PUT', fresh, SPEC)).status).to.equal(412)
    const match = { 'if-match': first }
    const next = await send('PUT', match, { ...SPEC, upstream_model: 'two' })
    const late = await send('PUT', match, { ...SPEC, upstream_model: 'three' })
    expect([late.status, (await send('DELETE', match)).status]).to.deep.equal([412, 412])
    expect(late.json['error']?.['message']).to.include('The model "small" is another one')
    const { spec } = (await server.served.ask(MODEL)).json
    expect(spec).to.include({ upstream_model: 'two' })
    const deleted = await send('DELETE', { 'if-match': next.headers.get('etag') ?? '' })
    expect(deleted.status).to.equal(204)
  })
})
