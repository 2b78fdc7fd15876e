import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'chai'
import { memoryStorage, type Storage } from '../../../src/agent/index.ts'
import { HostError, type Log } from '../../../src/plugin/index.ts'
import { eventProvider } from '../../helpers/plugins.ts'
import { type Bearer, questions, Secured } from './secured.ts'

const CHAT = '/v1/chat/completions'
/** What only a whole stream has. */
const WHOLE = '"finish_reason":"stop"'
const body = (text: string, model = 'quick', more: object = {}) => ({
  model,
  messages: [{ role: 'user', content: text }],
  ...more,
})

/** A storage of which a part fails, or is counted, on request. */
function watched(part: 'tokens' | 'counters') {
  const storage = memoryStorage()
  const calls: string[] = []
  let isAway = false
  const member = new Proxy(storage[part], {
    get: (target, name) => {
      const real: unknown = Reflect.get(target, name)
      if (typeof real !== 'function') return real
      return async (...given: unknown[]) => {
        calls.push(String(name))
        if (isAway) throw new HostError('STORAGE_FAILED', 'The storage failed: no route to host.')
        return Reflect.apply(real, target, given)
      }
    },
  })
  const away = (is: boolean) => {
    isAway = is
  }
  return { storage: { ...storage, [part]: member } as Storage, calls, away }
}

describe('a token of the storage', function () {
  this.timeout(20_000)
  let secured: Secured
  beforeEach(() => {
    secured = new Secured()
  })
  afterEach(() => secured.close())

  it('identifies its caller, with the models and rights that it was issued with', async () => {
    const served = await secured.serve()
    const { headers, secret } = await secured.issue({ id: 'eva', models: ['quick'] })
    const listed = await served.ask('/v1/models', { headers })
    expect(listed.text).to.include('quick').and.not.include('slow')
    const asked = { headers: { authorization: '', 'x-api-key': secret }, body: body('hi') }
    expect((await served.ask(CHAT, asked)).text).to.include('You said: hi')
    const other = await served.ask(CHAT, { headers, body: body('hi', 'slow') })
    expect(other.status).to.equal(404)
  })

  it('works beside tokens of the config, from the moment that it is issued', async () => {
    const served = await secured.serve()
    expect((await served.ask('/v1/models', { as: 'bob' })).status).to.equal(200)
    const { headers } = await secured.issue({ id: 'eva' })
    expect((await served.ask('/v1/models', { headers })).status).to.equal(200)
  })

  it('counts for nothing where the server does not say so', async () => {
    const served = await secured.serve({ storedTokens: false })
    const { headers } = await secured.issue({ id: 'eva' })
    expect((await served.ask('/v1/models', { headers })).status).to.equal(401)
  })

  it('is refused in all protocols, with the reason, if it is unknown, malformed, expired or revoked', async () => {
    const served = await secured.serve()
    const expired = await secured.issue({ id: 'eva' }, Date.now() - 1)
    const revoked = await secured.issue({ id: 'eva' })
    await secured.storage.tokens.revoke(revoked.id, Date.now())
    const { secret } = await secured.issue({ id: 'eva' })
    const unknown = `bw_${'x'.repeat(43)}`
    for (const [path, asked] of questions('quick')) {
      for (const [token, reason] of [
        [unknown, 'This server does not know the token.'],
        [secret.slice(1), 'This server does not know the token.'],
        [`${secret}x`, 'This server does not know the token.'],
        [expired.secret, 'The token has expired.'],
        [revoked.secret, 'The token was revoked.'],
      ] as const) {
        const headers = { authorization: `Bearer ${token}` }
        const { status, text } = await served.ask(path, { headers, body: asked })
        expect([path, status]).to.deep.equal([path, 401])
        expect(text).to.include(reason).and.not.include(token)
      }
    }
  })

  it('is a user whose id and role no body, header or metadata changes', async () => {
    const served = await secured.serve()
    const { headers } = await secured.issue({ id: 'eva' })
    const forged = { 'x-api-key': 'ada-0123456789abcdef', 'x-user-id': 'ada', 'x-role': 'admin' }
    const metadata = { id: 'ada', role: 'admin' }
    const asked = {
      headers: { ...headers, ...forged },
      body: { ...metadata, metadata },
    }
    expect((await served.ask('/api/conversations', asked)).status).to.be.oneOf([200, 201, 400])
    await served.ask('/api/conversations', {
      headers: { ...headers, ...forged },
      body: { id: 'own' },
    })
    expect(await secured.storage.conversations.load('eva', 'own')).to.include({ owner: 'eva' })
    expect(await secured.storage.conversations.list('ada')).to.deep.equal([])
    const { text } = await served.ask('/api/explain', { headers: { ...headers, ...forged } })
    expect(text).to.equal((await served.ask('/api/explain', { as: 'bob' })).text)
  })

  it('ends within five seconds of being revoked, in each server, with what it runs', async () => {
    const servers = await Promise.all([secured.serve(), secured.serve()])
    const { id, headers } = await secured.issue({ id: 'eva' })
    const kept = await secured.issue({ id: 'eva' })
    const count = { ...body('count', 'slow', { stream: true }) }
    const ask = (headers: Bearer) => ({ headers, body: count })
    const streams = await Promise.all(servers.map((one) => one.fetch(CHAT, ask(headers))))
    const other = await servers[0].fetch(CHAT, ask(kept.headers))
    expect(streams.map(({ status }) => status)).to.deep.equal([200, 200])
    const at = performance.now()
    await secured.storage.tokens.revoke(id, Date.now())
    const texts = await Promise.all(streams.map((stream) => stream.text()))
    expect(performance.now() - at).to.be.below(5000)
    for (const text of texts) expect(text).to.not.include(WHOLE)
    for (const one of servers) expect((await one.ask(CHAT, ask(headers))).status).to.equal(401)
    expect(await other.text()).to.include(WHOLE)
    const runs = servers.map(({ activeRuns }) => activeRuns)
    expect(runs).to.deep.equal([0, 0])
  })

  it('ends the embeddings that are made for it', async () => {
    let begun: () => void = () => undefined
    const hasBegun = new Promise<void>((resolve) => {
      begun = resolve
    })
    const embed = (_inputs: unknown, _options: unknown, context: { signal: AbortSignal }) =>
      new Promise((_resolve, reject) => {
        context.signal.addEventListener('abort', () => reject(context.signal.reason))
        begun()
      })
    const plugins = [eventProvider([], { models: ['m'], embed })]
    const options = { models: { embedder: {} } }
    const served = await secured.serve(options, { plugins, config: { provider: 'p' } })
    const { id, headers } = await secured.issue({ id: 'eva' })
    const asked = { headers, body: { model: 'embedder', input: ['four'] } }
    const answer = served.ask('/v1/embeddings', asked)
    await hasBegun
    const at = performance.now()
    await secured.storage.tokens.revoke(id, Date.now())
    const { status, text } = await answer
    expect(performance.now() - at).to.be.below(5000)
    expect(status).to.equal(401)
    expect(text).to.include('The token was revoked.')
  })

  it('ends what it only reads, too', async () => {
    const served = await secured.serve()
    const first = await secured.issue({ id: 'eva' })
    const second = await secured.issue({ id: 'eva' })
    const asked = { headers: first.headers, body: body('count', 'slow', { stream: true }) }
    const stream = await served.fetch(CHAT, asked)
    const path = `/runs/${stream.headers.get('x-run-id')}/events`
    const reader = await served.fetch(path, { headers: second.headers })
    await secured.storage.tokens.revoke(second.id, Date.now())
    expect(await reader.text()).to.not.include(WHOLE)
    expect(await stream.text()).to.include(WHOLE)
  })

  it('ends when it expires while it is used', async () => {
    const served = await secured.serve()
    const { headers } = await secured.issue({ id: 'eva' }, Date.now() + 500)
    const asked = { headers, body: body('count', 'slow', { stream: true }) }
    expect(await (await served.fetch(CHAT, asked)).text()).to.not.include(WHOLE)
  })

  it('costs a request no statement once it is known', async () => {
    const { storage, calls } = watched('tokens')
    secured = new Secured(storage)
    const served = await secured.serve()
    const { headers } = await secured.issue({ id: 'eva' })
    await served.ask('/v1/models', { headers })
    calls.length = 0
    for (let count = 0; count < 50; count++) await served.ask('/v1/models', { headers })
    // One look at the revision a second, whatever the number of requests.
    expect(calls.filter((name) => name !== 'revision' && name !== 'use')).to.deep.equal([])
    expect(calls.length).to.be.below(5)
  })

  it('costs a server of other tokens none at all', async () => {
    const { storage, calls } = watched('tokens')
    secured = new Secured(storage)
    const served = await secured.serve()
    calls.length = 0
    for (let count = 0; count < 20; count++) await served.ask(CHAT, { body: body('hi') })
    expect(calls).to.deep.equal([])
  })

  it('is not accepted while the storage of tokens is away, which is told as 503 and logged once', async () => {
    const { storage, away } = watched('tokens')
    secured = new Secured(storage)
    const logged: Parameters<Log>[0][] = []
    const limits = { requests_per_minute: 1_000_000 }
    const served = await secured.serve({ limits, log: (entry) => void logged.push(entry) })
    const { headers } = await secured.issue({ id: 'eva' })
    expect((await served.ask('/v1/models', { headers })).status).to.equal(200)
    away(true)
    const told = () =>
      logged.filter(({ message }) => message.startsWith('Tokens cannot be read')).length
    let answer = await served.ask('/v1/models', { headers })
    while (answer.status === 200 || told() === 0) {
      await pause(20)
      answer = await served.ask('/v1/models', { headers })
    }
    expect(answer.status).to.equal(503)
    expect(answer.text).to.include('The storage of the server failed').and.not.include('route')
    expect((await served.ask('/v1/models', { as: 'bob' })).status).to.equal(200)
    away(false)
    expect((await served.ask('/v1/models', { headers })).status).to.equal(200)
    expect(told()).to.equal(1)
  })

  it('is told to have been used, within seconds and when the server closes', async () => {
    const served = await secured.serve()
    const { headers } = await secured.issue({ id: 'eva' })
    await served.ask('/v1/models', { headers })
    await secured.close()
    const [token] = await secured.storage.tokens.list()
    expect(token?.lastUsedAt).to.be.above((token?.createdAt ?? 0) - 1)
  })
})
