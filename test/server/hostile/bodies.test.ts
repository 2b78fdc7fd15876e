import { once } from 'node:events'
import { expect } from 'chai'
import { head, type OnSocket, onSocket, said } from './on-socket.ts'

/** Every address that reads JSON, with where its protocol says the code of an error. */
const ADDRESSES = [
  ['/api/chat', 'REQUEST_INVALID'],
  ['/ag-ui', 'REQUEST_INVALID'],
  ['/v1/chat/completions', 'request_invalid'],
  ['/v1/responses', 'request_invalid'],
  ['/v1/messages', 'invalid_request_error'],
  ['/api/conversations', 'REQUEST_INVALID'],
] as const

const LIMIT = 4096

describe('bodies that no server should take', () => {
  let served: OnSocket
  before(async () => {
    served = await onSocket({ limits: { body: LIMIT, file: LIMIT } })
  })
  after(() => served.close())

  const TOO_DEEP = `${'['.repeat(1500)}${']'.repeat(1500)}`
  for (const [path, code] of ADDRESSES) {
    for (const [what, body] of [
      ['nothing', ''],
      ['no JSON', '{"messages": ['],
      ['no object', '[1]'],
      ['a number too large to be one', '{"model": 1e999}'],
      ['a lone surrogate for a text', '{"messages": "\\ud800"}'],
      ['too deep', `{"messages": ${TOO_DEEP}}`],
      ['prototypes', '{"__proto__": {"model": "quick"}, "messages": {"constructor": 1}}'],
    ] as const) {
      it(`are refused by ${path}: ${what}`, async () => {
        const answer = await served.ask(path, body)
        // A conversation needs no field at all.
        if (path === '/api/conversations' && answer.status === 201) return
        const text = await answer.text()
        expect(answer.status, text).to.equal(400)
        expect(answer.headers.get('content-type')).to.include('application/json')
        expect(text).to.include(code)
        expect(text).to.not.match(/\bat |node:|\.ts\b|\/src\//)
      })
    }

    it(`are refused by ${path}: not UTF-8`, async () => {
      const body = Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])
      const answer = await served.ask(path, undefined, { method: 'POST', body })
      expect(answer.status).to.equal(400)
      expect(await answer.text()).to.include('must be JSON in UTF-8')
    })

    it(`are refused by ${path}: larger than the limit, said or not`, async () => {
      const large = JSON.stringify({ messages: 'x'.repeat(LIMIT) })
      const known = await served.ask(path, large)
      expect(known.status).to.equal(413)
      expect(await known.text()).to.match(/request_too_large/i)
      const socket = await served.connect()
      const chunk = `${large.length.toString(16)}\r\n${large}\r\n0\r\n\r\n`
      const headers = { 'Transfer-Encoding': 'chunked', Connection: 'close' }
      socket.write(head(`POST ${path}`, headers) + chunk)
      const { status, text } = await said(socket)
      expect(status).to.equal(413)
      expect(text).to.match(/request_too_large/i)
    })
  }

  it('are cut off where they do not end', async () => {
    const socket = await served.connect()
    socket.write(head('POST /v1/messages', { 'Transfer-Encoding': 'chunked' }))
    const piece = `10000\r\n${'x'.repeat(0x10000)}\r\n`
    let written = 0
    const write = (): void => {
      while (!socket.destroyed && socket.write(piece)) written += piece.length
    }
    socket.on('drain', write).on('error', () => undefined)
    const spoken = said(socket)
    write()
    const { status } = await spoken
    // What came may be lost with the connection that is cut.
    expect(status).to.be.oneOf([413, 0])
    expect(written).to.be.below(64 << 20)
  })

  it('of files have limits too, and say what they are', async () => {
    const talk = (await (await served.ask('/api/conversations', '{}')).json()) as { id: string }
    const path = `/api/conversations/${talk.id}/files`
    const upload = (type: string, size = 1) =>
      served.ask(path, 'x'.repeat(size), { headers: { 'content-type': type } })
    expect((await upload('image/png')).status).to.equal(201)
    expect((await upload('image/png', LIMIT + 1)).status).to.equal(413)
    for (const type of ['image', '../etc/passwd', 'text/html, text/plain', 'a/b/c']) {
      expect((await upload(type)).status, type).to.equal(400)
    }
  })

  it('promise no more than they bring', async () => {
    const socket = await served.connect({ allowHalfOpen: true })
    socket.end(`${head('POST /v1/messages', { 'Content-Length': 100 })}{"model":`)
    const { status, text } = await said(socket)
    expect(status).to.be.oneOf([0, 400])
    expect(text).to.not.include('200 OK')
    expect(served.server.activeRuns).to.equal(0)
  })

  it('do not smuggle a second request', async () => {
    const socket = await served.connect()
    const both = { 'Content-Length': 4, 'Transfer-Encoding': 'chunked' }
    socket.write(`${head('POST /v1/messages', both)}0\r\n\r\nGET /healthz HTTP/1.1\r\n\r\n`)
    const { status, text } = await said(socket)
    expect(status).to.equal(400)
    expect(text.match(/HTTP\/1\.1/g)).to.have.length(1)
  })

  it('leave the server as it was', async () => {
    expect(await (await served.ask('/healthz')).text()).to.equal('ok')
    expect(served.server.activeRuns).to.equal(0)
    expect(({} as { model?: string }).model).to.equal(undefined)
    await once(await served.connect().then((socket) => socket.end()), 'close')
  })
})

describe('files in a message', () => {
  let served: OnSocket
  before(async () => {
    served = await onSocket()
  })
  after(() => served.close())

  const asked = { id: 'q', role: 'user' }
  for (const url of [
    'javascript:alert(1)',
    'JAVASCRIPT:alert(1)',
    ' javascript:alert(1)',
    'vbscript:x',
    'file:///etc/passwd',
    'data:text/html,%zz',
    'http://user:secret@localhost/',
  ]) {
    it(`are refused, or left alone, but never used: ${url}`, async () => {
      const part = { type: 'file', mediaType: 'image/png', url }
      const messages = [{ ...asked, parts: [{ type: 'text', text: 'hi' }, part] }]
      const answer = await served.ask('/api/chat', { id: `c${url.length}`, messages })
      const text = await answer.text()
      if (url.startsWith('http:')) return expect(text).to.not.include('"type":"error"')
      expect(answer.status, text).to.equal(400)
      return expect(text).to.include('/messages/0/parts/1')
    })
  }

  it('have the type of a file', async () => {
    const part = { type: 'file', mediaType: 'no type', url: 'data:image/png;base64,AAAA' }
    const messages = [{ ...asked, parts: [part] }]
    const answer = await served.ask('/api/chat', { id: 'types', messages })
    expect(answer.status).to.equal(400)
    expect(await answer.text()).to.include('/messages/0/parts/0')
  })
})
