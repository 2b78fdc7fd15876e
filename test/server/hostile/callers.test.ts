import { expect } from 'chai'
import { LOCAL, type ServerOptions } from '../../../src/server/index.ts'
import { ADA, BOB, head, type OnSocket, onSocket, type Spoken, said } from './on-socket.ts'

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]']
const EVIL = 'https://evil.example'

describe('callers', () => {
  let served: OnSocket
  afterEach(() => served.close())

  const start = async (options: Omit<Partial<ServerOptions>, 'host'> = {}): Promise<void> => {
    served = await onSocket(options)
  }
  const as = (headers: Record<string, string>) =>
    served.ask('/v1/models', undefined, { headers: { authorization: '', ...headers } })

  /** A request with these headers and no others. */
  async function raw(headers: Record<string, string>, path = '/v1/models'): Promise<Spoken> {
    const socket = await served.connect()
    socket.write(head(`GET ${path}`, { Connection: 'close', ...headers }))
    return said(socket)
  }

  it('are known by a bearer token or x-api-key, and by nothing else', async () => {
    await start()
    for (const headers of [
      { authorization: `Bearer ${ADA}` },
      { authorization: `bearer ${BOB}` },
      { 'x-api-key': ADA },
      { 'x-api-key': ADA, 'anthropic-version': '2023-06-01' },
    ] as Record<string, string>[]) {
      expect((await as(headers)).status).to.equal(200)
    }
    for (const headers of [
      {},
      { authorization: `Basic ${Buffer.from(`ada:${ADA}`).toString('base64')}` },
      { authorization: ADA },
      { authorization: `Bearer ${ADA}x` },
      { authorization: `Bearer ${ADA.slice(0, -1)}` },
      { 'x-api-key': '' },
      { authorization: 'Bearer wrong', 'x-api-key': ADA },
      { 'x-api-key': '__proto__' },
      { cookie: `token=${ADA}` },
    ] as Record<string, string>[]) {
      const answer = await as(headers)
      const text = await answer.text()
      expect(answer.status, JSON.stringify(headers)).to.equal(401)
      expect(text).to.include('invalid_api_key').and.not.include(ADA)
    }
    expect(
      (await served.ask(`/v1/models?token=${ADA}`, undefined, { headers: { authorization: '' } }))
        .status,
    ).to.equal(401)
  })

  it('who are not known are told so in the words of what they called, and get nowhere', async () => {
    await start()
    const nobody = { headers: { authorization: 'Bearer wrong' } }
    for (const [path, said401] of [
      ['/v1/chat/completions', '"type":"authentication_error"'],
      ['/v1/messages', '"type":"authentication_error"'],
      ['/ag-ui', 'UNAUTHORIZED'],
      ['/api/chat', 'UNAUTHORIZED'],
      ['/api/conversations', 'UNAUTHORIZED'],
      ['/approvals/x', 'UNAUTHORIZED'],
    ] as const) {
      const answer = await served.ask(path, '{}', nobody)
      expect(answer.status, path).to.equal(401)
      expect(await answer.text()).to.include(said401)
    }
    for (const path of ['/metrics', '/api/settings', '/runs/x/events', '/no/such/path']) {
      expect((await served.ask(path, undefined, nobody)).status, path).to.equal(401)
    }
    expect((await served.ask('/healthz', undefined, nobody)).status).to.equal(200)
  })

  it('use no model but those of their token', async () => {
    await start({
      authenticate: (request) =>
        request.headers.has('authorization')
          ? { id: 'eve', role: 'user', models: ['quick', 'toString'] }
          : undefined,
    })
    const messages = [{ role: 'user', content: 'hi' }]
    const ask = (model: string) => served.ask('/v1/chat/completions', { model, messages })
    expect((await ask('quick')).status).to.equal(200)
    for (const model of ['slow', 'toString', '__proto__', 'constructor']) {
      const answer = await ask(model)
      expect(answer.status, model).to.equal(404)
      expect(await answer.text())
        .to.include('model_not_found')
        .and.not.include('careful')
    }
  })

  it('on loopback without tokens are let in, whatever key they send', async () => {
    await start({ anonymous: LOCAL })
    for (const headers of [
      {},
      { authorization: 'Bearer anything' },
      { 'x-api-key': 'anything' },
      { authorization: 'Basic nonsense', 'x-api-key': 'x' },
    ] as Record<string, string>[]) {
      expect((await as(headers)).status).to.equal(200)
    }
  })

  describe('with a name that was made to lead here', () => {
    it('are refused before anything else', async () => {
      await start({ hosts: LOOPBACK })
      for (const host of [
        'evil.example',
        `evil.example:${served.port}`,
        '127.0.0.1.evil.example',
      ]) {
        const { status, text } = await raw({ Host: host })
        expect(status, host).to.equal(421)
        expect(text).to.match(/host_foreign/i)
        expect((await raw({ Host: host }, '/metrics')).status).to.equal(421)
      }
      for (const host of ['127.0.0.1', `localhost:${served.port}`, '[::1]:80', 'LOCALHOST']) {
        expect((await raw({ Host: host })).status, host).to.equal(200)
      }
      for (const host of ['', 'a b', 'a/b', 'user@localhost', 'localhost, evil.example']) {
        expect((await raw({ Host: host })).status, host).to.be.within(400, 499)
      }
    })

    it('are refused behind a base path too', async () => {
      await start({ hosts: LOOPBACK, basePath: '/braid' })
      expect((await raw({ Host: 'evil.example' }, '/braid/v1/models')).status).to.equal(421)
      expect((await raw({}, '/braid/v1/models')).status).to.equal(200)
      expect((await raw({}, '/v1/models')).status).to.equal(404)
    })

    it('may ask whether the server lives, as a load balancer does by its address', async () => {
      await start({ hosts: LOOPBACK, basePath: '/braid' })
      for (const path of ['/braid/healthz', '/braid/readyz']) {
        const { status, text } = await raw({ Host: '10.0.0.7:8787', Authorization: '' }, path)
        expect(status, path).to.equal(200)
        expect(text.endsWith('\r\n\r\nok'), text).to.equal(true)
        expect((await raw({ Host: '10.0.0.7', Origin: EVIL }, path)).status).to.equal(403)
        expect((await raw({ Host: '10.0.0.7' }, `${path}/x`)).status).to.equal(421)
      }
    })

    it('are not believed what only a proxy may say', async () => {
      await start({ hosts: LOOPBACK })
      const forged = { Host: 'evil.example', 'X-Forwarded-Host': 'localhost' }
      expect((await raw(forged)).status).to.equal(421)
      expect((await raw({ 'X-Forwarded-Host': 'evil.example' })).status).to.equal(200)
    })
  })

  describe('through a proxy that is trusted', () => {
    beforeEach(() => start({ hosts: ['chat.example.org'], trustsProxy: true }))

    it('are judged by what it says was asked for', async () => {
      const forwarded = { Host: '10.0.0.7', 'X-Forwarded-Host': 'chat.example.org' }
      expect((await raw(forwarded)).status).to.equal(200)
      expect((await raw({ ...forwarded, 'X-Forwarded-Host': 'evil.example' })).status).to.equal(421)
      // What a client put before what the proxy wrote does not count.
      const put = { ...forwarded, 'X-Forwarded-Host': 'chat.example.org, evil.example' }
      expect((await raw(put)).status).to.equal(421)
      expect((await raw({ ...forwarded, 'X-Forwarded-Host': 'a b' })).status).to.equal(421)
    })

    it('may be the server’s own page, of the scheme that the proxy has', async () => {
      const forwarded = {
        Host: '10.0.0.7',
        'X-Forwarded-Host': 'chat.example.org',
        'X-Forwarded-Proto': 'https',
      }
      const page = (origin: string) => raw({ ...forwarded, Origin: origin })
      expect((await page('https://chat.example.org')).status).to.equal(200)
      expect((await page('http://chat.example.org')).status).to.equal(403)
      expect((await page('http://10.0.0.7')).status).to.equal(403)
    })
  })

  describe('from pages', () => {
    it('of another origin are refused, also before a request is made', async () => {
      await start({ origins: ['https://chat.example.org'] })
      for (const origin of [
        EVIL,
        'null',
        `http://127.0.0.1:${served.port + 1}`,
        'https://chat.example.org.evil.example',
        'x',
      ]) {
        const headers = { origin }
        const answer = await served.ask('/v1/models', undefined, { headers })
        expect(answer.status, origin).to.equal(403)
        expect(answer.headers.get('access-control-allow-origin')).to.equal(null)
        const asked = await served.ask('/v1/models', undefined, { method: 'OPTIONS', headers })
        expect(asked.status).to.equal(403)
      }
    })

    it('of the server itself, and of those in its config, may read', async () => {
      await start({ origins: ['https://chat.example.org'] })
      const own = await served.ask('/v1/models', undefined, { headers: { origin: served.url } })
      expect(own.status).to.equal(200)
      const origin = 'https://chat.example.org'
      const asked = await served.ask('/v1/chat/completions', undefined, {
        method: 'OPTIONS',
        headers: {
          authorization: '',
          origin,
          'access-control-request-method': 'POST',
          'access-control-request-headers': 'authorization,x-stainless-os',
        },
      })
      expect(asked.status).to.equal(204)
      expect(Object.fromEntries(asked.headers)).to.include({
        'access-control-allow-origin': origin,
        'access-control-allow-headers': 'authorization,x-stainless-os',
      })
      expect(asked.headers.get('access-control-allow-credentials')).to.equal(null)
      for (const [path, status] of [
        ['/v1/models', 200],
        ['/v1/models/none', 404],
      ] as const) {
        const answer = await served.ask(path, undefined, { headers: { origin } })
        expect(answer.status).to.equal(status)
        expect(answer.headers.get('access-control-allow-origin')).to.equal(origin)
        expect(answer.headers.get('vary')).to.equal('origin')
      }
    })
  })

  it('write no header of an answer', async () => {
    await start()
    const messages = [{ role: 'user', content: 'hi' }]
    const field = 'a\r\nSet-Cookie: x=1\r\n\r\n<b>é'
    const body = { model: 'quick', messages, logit_bias: {}, [field]: 1 }
    const answer = await served.ask('/v1/chat/completions', body)
    await answer.text()
    expect(answer.headers.get('set-cookie')).to.equal(null)
    const path = '/v1/models/%0d%0aSet-Cookie:%20x=1'
    const missing = await served.ask(path)
    expect(missing.status).to.equal(404)
    expect(missing.headers.get('set-cookie')).to.equal(null)
    const key = await raw({ 'Idempotency-Key': 'k\u0001' })
    expect(key.status).to.be.within(200, 499)
    expect((await raw({ 'X-Long': 'x'.repeat(40_000) })).status).to.equal(431)
  })

  it('are shown nothing of the server by what it does not know', async () => {
    await start()
    for (const path of [
      '/../../etc/passwd',
      '/api/files/..%2f..%2fetc%2fpasswd',
      '/api/conversations/%00',
      '/api/conversations/__proto__',
      '/v1/models/__proto__',
      '/runs/constructor/events',
      '/v1/responses/resp___proto__',
      `/api/conversations/${'x'.repeat(5000)}`,
      '/%',
      '/%ff%fe',
    ]) {
      const { status, text } = await raw({}, path)
      expect(status, path).to.be.within(400, 404)
      expect(text, path).to.not.match(/\bat |node:|\/work|\.ts\b|root:/)
      expect(text.length).to.be.below(1000)
    }
  })

  it('are in the log and counted, also where they are refused before anything else', async () => {
    await start({ hosts: LOOPBACK, basePath: '/braidwork' })
    await raw({ Host: 'evil.example' }, '/braidwork/v1/models')
    await served.ask('/braidwork/v1/models', undefined, { headers: { origin: EVIL } })
    await served.ask('/elsewhere')
    const seen = served.lines.filter(({ message }) => message === 'request')
    expect(seen.map(({ path, status }) => `${String(status)} ${String(path)}`)).to.deep.equal([
      '421 /braidwork/v1/models',
      '403 /braidwork/v1/models',
      '404 /elsewhere',
    ])
    const metrics = await (await served.ask('/metrics')).text()
    for (const status of [421, 403, 404]) expect(metrics).to.include(`status="${status}"`)
  })

  it('who need not say who they are reach a server by no name but those of loopback, unless it has others', async () => {
    await start({ anonymous: LOCAL })
    expect((await raw({ Host: 'evil.example' })).status).to.equal(421)
    expect((await raw({ Host: 'localhost' })).status).to.equal(200)
    await served.close()
    await start({ anonymous: LOCAL, hosts: ['chat.example'] })
    expect((await raw({ Host: 'chat.example' })).status).to.equal(200)
  })

  it('find no secret of theirs, or content, in the log', async () => {
    await start()
    const messages = [{ role: 'user', content: 'the word is xyzzy' }]
    await (await served.ask('/v1/chat/completions', { model: 'quick', messages })).text()
    await served.ask('/v1/models', undefined, { headers: { authorization: 'Bearer plugh' } })
    const log = JSON.stringify(served.lines)
    expect(log).to.include('/v1/chat/completions')
    expect(log)
      .to.not.match(/xyzzy|plugh|A greeting/)
      .and.not.include(ADA)
  })

  it('find what was asked and answered in the log where the config says so', async () => {
    await start({ logsContent: true })
    const messages = [{ role: 'user', content: 'the word is xyzzy' }]
    await (await served.ask('/v1/chat/completions', { model: 'quick', messages })).text()
    const said = served.lines.filter(({ message }) => ['asked', 'answered'].includes(message))
    expect(said.map(({ message }) => message)).to.deep.equal(['asked', 'answered'])
    expect(JSON.stringify(said)).to.include('You said: the word is xyzzy').and.not.include(ADA)
  })
})
