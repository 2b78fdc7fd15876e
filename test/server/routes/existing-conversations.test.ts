import { expect } from 'chai'
import { chatBody, Served, user } from './served.ts'

describe('a request that goes on with a conversation', () => {
  let served: Served
  beforeEach(async () => {
    served = await Served.start()
  })
  afterEach(() => served.close())

  const ask = (id: string, more: object) =>
    served.ask('/api/chat', { body: chatBody('talk', [user(id, 'hello')], more) })

  it('does not begin it anew where somebody has deleted it', async () => {
    expect((await ask('u1', { existing: false })).status).to.equal(200)
    expect((await ask('u2', { existing: true })).status).to.equal(200)
    await served.ask('/api/conversations/talk', { method: 'DELETE' })
    const { status, json } = await ask('u3', { existing: true })
    expect([status, json['code'], json['pointer']]).to.deep.equal([
      404,
      'CONVERSATION_UNKNOWN',
      '/id',
    ])
    expect((await served.ask('/api/conversations/talk')).status).to.equal(404)
    expect((await ask('u3', {})).status).to.equal(200)
  })
})

describe('a file that is too large', () => {
  it('is refused with the limit and the key that sets it', async () => {
    const served = await Served.start({ limits: { file: 10 } })
    await served.ask('/api/conversations', { body: { id: 'talk' } })
    const { status, json } = await served.ask('/api/conversations/talk/files', {
      body: new Uint8Array(11),
      headers: { 'content-type': 'text/plain' },
    })
    await served.close()
    expect(status).to.equal(413)
    expect(json['error']).to.include({
      message: 'The body is larger than 10 bytes, the limit in the server\'s "limits.file".',
    })
  })
})
