import { expect } from 'chai'
import { chatBody, Served, user } from './routes/served.ts'

describe('the version of the AI SDK that a client names', () => {
  let served: Served
  before(async () => {
    served = await Served.start()
  })
  after(() => served.close())

  it('is one that there is, before a run begins', async () => {
    const body = chatBody('talk', [user('q', 'hello')])
    for (const [path, asked] of [
      ['/api/chat?sdk=9', { body }],
      ['/api/chat', { body, headers: { 'x-braidwork-sdk': 'six' } }],
      ['/api/chat/talk/stream?sdk=4', {}],
    ] as const) {
      const { status, json } = await served.ask(path, asked)
      expect([status, json['pointer']], path).to.deep.equal([400, '/sdk'])
    }
    expect((await served.ask('/api/conversations/talk')).status).to.equal(404)
    expect((await served.ask('/api/chat?sdk=7', { body })).status).to.equal(200)
    const { status, json } = await served.ask('/api/conversations/talk?sdk=8')
    expect([status, json['error']?.['pointer']]).to.deep.equal([400, '/sdk'])
  })
})
