import { expect } from 'chai'
import type { Storage } from '../../../src/agent/storage/index.ts'
import { openStorage } from '../../../src/store/index.ts'
import { type Backend, begin, memory } from '../../store/backends.ts'
import { chatBody, Served, user } from '../routes/served.ts'

/** Such as some database would not take, would cut, or would take for another. */
const IDS = {
  'a control character': 'a\u0000b',
  'a line break': 'a\nb',
  'half a letter': 'a\ud800',
  'more than 255 characters': `${'é'.repeat(200)}${'ß'.repeat(56)}`,
  'as many characters as a body has': 'x'.repeat(1_000_000),
  'a dot alone': '.',
  'two dots alone': '..',
}
const ag = (threadId: string) => ({
  threadId,
  runId: 'r',
  state: {},
  messages: [{ id: 'q', role: 'user', content: 'hi' }],
  tools: [],
  context: [],
  forwardedProps: {},
})

/** What ids of callers come to, whatever they contain, in any backend. */
export function idsSuite(backend: Backend): void {
  describe(`ids that a client made, in ${backend.name}`, function () {
    this.timeout(30_000)
    let storage: Storage
    let served: Served

    before(async function () {
      await begin(backend, this)
      storage = await openStorage(backend.place())
      served = await Served.start({ storage })
    })
    after(async () => {
      await served?.close()
      await storage?.close()
      await backend.end()
    })

    for (const [what, id] of Object.entries(IDS)) {
      it(`name no conversation where they have ${what}`, async () => {
        for (const [path, body, pointer] of [
          ['/api/conversations', { id }, '/id'],
          ['/api/chat', chatBody(id, [user('q', 'hi')]), '/id'],
          ['/ag-ui', ag(id), '/threadId'],
        ] as const) {
          const { status, text } = await served.ask(path, { body })
          expect(status, `${path}: ${text}`).to.equal(400)
          expect(text).to.include('REQUEST_INVALID').and.include(pointer)
          expect(text.length).to.be.below(1000)
        }
        expect(await storage.conversations.list('ada')).to.deep.equal([])
      })
    }

    it('are not empty, where one is given', async () => {
      for (const id of ['', ' \u3000']) {
        const { status } = await served.ask('/api/conversations', { body: { id } })
        expect(status).to.equal(400)
      }
      expect((await served.ask('/ag-ui', { body: ag('') })).status).to.equal(400)
    })

    it('may be looked for, whatever they are, and are not found', async () => {
      const hostile = ['a\u0000b', '__proto__', '\u{10ffff}', '%', "'; DROP TABLE runs; --"]
      for (const id of hostile.map(encodeURIComponent)) {
        for (const [path, method, body] of [
          [`/api/conversations/${id}`, 'GET'],
          [`/api/conversations/${id}`, 'DELETE'],
          [`/api/chat/${id}/stream?run=${id}`, 'GET'],
          [`/runs/${id}/events`, 'GET'],
          [`/runs/${id}/stop`, 'POST', {}],
          [`/approvals/${id}`, 'POST', { approved: true }],
          [`/v1/responses/resp_${id}`, 'GET'],
          [`/api/files/${id}`, 'GET'],
        ] as const) {
          const asked = body === undefined ? { method } : { method, body }
          const { status, text } = await served.ask(path, asked)
          expect(status, `${method} ${path}: ${text}`).to.be.within(400, 404)
        }
      }
      const goesOn = { model: 'quick', input: 'hi', conversation: 'a\u0000b' }
      expect((await served.ask('/v1/responses', { body: goesOn })).status).to.be.within(400, 404)
    })

    it('of requests are whole, or refused', async () => {
      const body = chatBody('keyed', [user('q', 'hi')])
      const key = 'k'.repeat(255)
      const ask = (given: string) =>
        served.ask('/api/chat', { body, headers: { 'idempotency-key': given } })
      expect((await ask(key)).status).to.equal(200)
      const { status, text } = await ask(`${key}k`)
      expect(status).to.equal(400)
      expect(text).to.include('/Idempotency-Key')
    })

    it('and titles are kept as they are, or refused', async () => {
      const title = 'a\u0000b'
      const { status, json } = await served.ask('/api/conversations', { body: { title } })
      if (backend !== memory) expect(status).to.equal(400)
      else expect([status, json['title']]).to.deep.equal([201, title])
    })
  })
}
