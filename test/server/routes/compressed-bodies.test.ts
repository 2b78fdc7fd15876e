import { gzipSync } from 'node:zlib'
import { expect } from 'chai'
import { Served } from './served.ts'

describe('compressed bodies of requests', () => {
  let served: Served
  before(async () => {
    served = await Served.start()
  })
  after(() => served.close())

  const CALL = { model: 'talk', messages: [{ role: 'user', content: 'hello' }], input: 'hello' }
  const PATHS = ['/v1/chat/completions', '/v1/responses', '/v1/messages', '/api/chat']

  function sent(path: string, encoding: string, body: Uint8Array) {
    const type = path.endsWith('/files') ? 'text/plain' : 'application/json'
    return served.ask(path, {
      headers: { 'content-type': type, 'content-encoding': encoding },
      body,
    })
  }

  for (const path of PATHS) {
    it(`get 415 that names the header at ${path}`, async () => {
      const { status, text } = await sent(path, 'gzip', gzipSync(JSON.stringify(CALL)))
      expect(status).to.equal(415)
      expect(text).to.include('Content-Encoding')
    })
  }

  it('get 415 as files too, and are none with the encoding "identity"', async () => {
    const { json } = await served.ask('/api/conversations', { body: {} })
    const path = `/api/conversations/${String(json['id'])}/files`
    expect((await sent(path, 'br', Buffer.from('hello'))).status).to.equal(415)
    expect((await sent(path, 'Identity', Buffer.from('hello'))).status).to.equal(201)
  })
})
