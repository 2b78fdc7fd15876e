import { expect } from 'chai'
import { type Answered, chatBody, user } from '../routes/served.ts'
import { PackedServer } from './packed-server.ts'
import { SERVED } from './scripts.ts'

const ADA = 'ada-0123456789abcdef'
const BOB = 'bob-0123456789abcdef'

/** What the server does beside protocols, as it is published, over HTTP. */
describe('the published server', function () {
  this.timeout(60_000)
  let server: PackedServer

  before(async () => {
    server = await PackedServer.start({
      ...SERVED,
      server: {
        ...SERVED.server,
        tokens: [
          { token: ADA, id: 'ada', role: 'admin' },
          { token: BOB, id: 'bob', models: ['quick'] },
        ],
        base_path: '/ai',
        trust_proxy: true,
        hosts: ['chat.example.org', '127.0.0.1'],
        cancel_after_ms: 300,
        heartbeat_ms: 40,
      },
    })
  })
  after(async () => {
    if (server) expect(await server.stop()).to.equal(0)
  })

  async function ask(
    path: string,
    body?: unknown,
    { token = ADA, method = body === undefined ? 'GET' : 'POST', headers = {} } = {},
  ): Promise<Answered> {
    const bytes = body instanceof Uint8Array ? Buffer.from(body) : JSON.stringify(body)
    const response = await fetch(`${server.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, ...headers },
      ...(body === undefined ? {} : { body: bytes }),
    })
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.startsWith('application/json')
    return { ...statusOf(response), text, json: isJson ? JSON.parse(text) : {} }
  }

  const statusOf = ({ status, headers }: Response) => ({ status, headers })
  const told = (text: string) => text.replaceAll(': keep-alive\n\n', '')
  const slowly = (id: string) => chatBody(id, [user('q', 'count')], { agent: 'slow' })
  const history = async (id: string) => (await ask(`/api/conversations/${id}?sdk=6`)).json

  /** Begins a run, and leaves once something of it has come. */
  async function leave(path: string, body: object): Promise<void> {
    const leaving = new AbortController()
    const response = await fetch(`${server.url}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${ADA}` },
      body: JSON.stringify(body),
      signal: leaving.signal,
    })
    await response.body?.getReader().read()
    leaving.abort()
  }

  it('gives a request that is repeated by its key, or brings nothing new, the run that is there', async () => {
    const headers = { 'idempotency-key': 'k' }
    const all = await Promise.all([
      ask('/api/chat', slowly('keyed'), { headers }),
      ask('/api/chat', slowly('keyed'), { headers }),
      ask('/api/chat', slowly('keyed')),
    ])
    const again = await ask('/api/chat', slowly('keyed'), { headers })
    const runs = new Set([...all, again].map((answer) => answer.headers.get('x-run-id')))
    expect(runs.size).to.equal(1)
    for (const { text } of [...all, again]) expect(told(text)).to.equal(told(again.text))
  })

  it('has one run at a time in a conversation, and stops it when it is told to', async () => {
    const first = ask('/api/chat', slowly('busy'))
    for (;;) if ('run' in (await history('busy'))) break
    const messages = [user('q', 'count'), user('q2', 'more')]
    const second = await ask('/api/chat', chatBody('busy', messages))
    expect([second.status, second.json['code']]).to.deep.equal([409, 'CONVERSATION_BUSY'])
    expect((await ask('/api/chat/busy/stop', {})).text).to.equal('{"stopped":true}')
    expect((await first).text).to.include('"type":"abort"')
    expect((await history('busy'))['lastRun']).to.include({ status: 'aborted' })
  })

  it('stops a chat that nobody reads in time, and no run in the background', async () => {
    await leave('/api/chat', slowly('left'))
    const { json } = await ask('/v1/responses', { model: 'slow', input: 'count', background: true })
    const id = String(json['id'])
    const streamed = await ask(`/v1/responses/${id}?stream=true&starting_after=3`)
    expect(streamed.text).to.include('"sequence_number":4').and.include('response.completed')
    expect((await ask(`/v1/responses/${id}`)).json['status']).to.equal('completed')
    for (;;) if (!('run' in (await history('left')))) break
    expect((await history('left'))['lastRun']).to.include({ status: 'aborted' })
  })

  it('keeps conversations with their files, branches them, and deletes all of it', async () => {
    await ask('/api/chat', chatBody('kept', [user('q', 'hello')]))
    const png = { headers: { 'content-type': 'image/png' } }
    const { json: file } = await ask('/api/conversations/kept/files', Uint8Array.of(1, 2), png)
    expect(file['url']).to.equal(`/ai/api/files/${file['hash']}`)
    const path = `/api/files/${file['hash']}`
    expect((await ask(path)).status).to.equal(200)
    const { json: branch } = await ask('/api/conversations/kept/branch', {})
    expect((await history(String(branch['id'])))['messages']).to.have.length(2)
    for (const method of ['GET', 'DELETE']) {
      const { status } = await ask('/api/conversations/kept', undefined, { token: BOB, method })
      expect(status).to.equal(404)
    }
    expect((await ask(path, undefined, { token: BOB })).status).to.equal(404)
    const run = String((await history('kept'))['lastRun']?.['id'])
    const gone = await ask('/api/conversations/kept', undefined, { method: 'DELETE' })
    expect(gone.status).to.equal(204)
    for (const left of ['/api/conversations/kept', `/runs/${run}/events`]) {
      expect((await ask(left)).status, left).to.equal(404)
    }
    expect((await history(String(branch['id'])))['messages']).to.have.length(2)
    // A branch has the files of what it was made of.
    expect((await ask(path)).status).to.equal(200)
    await ask(`/api/conversations/${branch['id']}`, undefined, { method: 'DELETE' })
    expect((await ask(path)).status).to.equal(404)
  })

  it('keeps settings for whoever set them', async () => {
    const data = { data: { temperature: 0.5 } }
    const put = await ask('/api/settings', data, { token: BOB, method: 'PUT' })
    expect(put.json['data']).to.include({ temperature: 0.5 })
    expect((await ask('/api/settings')).json['data']).to.not.have.property('temperature')
  })

  it('is called by the name that a proxy says, and lets in whom it knows', async () => {
    const asked = async (headers: { readonly [name: string]: string }) =>
      (await ask('/v1/models', undefined, { headers })).status
    const https = { 'x-forwarded-host': 'chat.example.org', 'x-forwarded-proto': 'https' }
    expect(await asked({ ...https, origin: 'https://chat.example.org' })).to.equal(200)
    expect(await asked({ 'x-forwarded-host': 'evil.example' })).to.equal(421)
    expect(await asked({ origin: 'https://evil.example' })).to.equal(403)
    expect((await ask('/v1/models', undefined, { token: `${ADA}x` })).status).to.equal(401)
    const { json } = await ask('/v1/models', undefined, { token: BOB })
    expect(json['data']).to.have.length(1)
    expect(json['data']).to.have.nested.property('[0].id', 'quick')
  })
})
