import { expect } from 'chai'
import type { Served } from '../routes/served.ts'
import { questions, Secured } from './secured.ts'

const REVOKED = 'The token was revoked.'
/** What the stream of each protocol ends with, and what only the stream of a whole answer has. */
const ENDS: { readonly [path: string]: readonly [error: RegExp, whole: string] } = {
  '/v1/chat/completions': [/"code":"invalid_api_key"/, '"finish_reason":"stop"'],
  '/v1/responses': [/response.failed/, 'response.completed'],
  '/v1/messages': [/"type":"authentication_error"/, 'message_stop'],
  '/api/chat': [/"type":"error"/, '"type":"finish"'],
  '/ag-ui': [/"type":"RUN_ERROR".*"code":"UNAUTHORIZED"/, 'RUN_FINISHED'],
}

const a2a = (method: string) => ({
  jsonrpc: '2.0',
  id: 1,
  method,
  params: {
    message: {
      messageId: 'm',
      role: 'user',
      kind: 'message',
      parts: [{ kind: 'text', text: 'count' }],
    },
  },
})

/** The last event of a stream that has data. */
function lastOf(text: string): string {
  return text.trimEnd().split('\n\n').at(-1) ?? ''
}

describe('the end of a token', function () {
  this.timeout(20_000)
  let secured: Secured
  let served: Served
  beforeEach(async () => {
    secured = new Secured()
    served = await secured.serve()
  })
  afterEach(() => secured.close())

  it('is told by an error at the end of its streams, in the words of each protocol', async () => {
    const { id, headers } = await secured.issue({ id: 'eva' })
    const asked = questions('slow', 'count').map(async ([path, body]) => {
      const stream = await served.fetch(path, { headers, body: { ...body, stream: true } })
      expect([path, stream.status]).to.deep.equal([path, 200])
      return [path, stream] as const
    })
    const streams = await Promise.all(asked)
    await secured.storage.tokens.revoke(id, Date.now())
    for (const [path, stream] of streams) {
      const text = await stream.text()
      const [error, whole] = ENDS[path] ?? expect.fail(path)
      expect(text, path).to.include(REVOKED).and.match(error)
      expect(text, path).to.not.include(whole)
    }
  })

  it('is told over A2A, in a stream and to a client that waits for the task', async () => {
    const { id, headers } = await secured.issue({ id: 'eva' })
    const stream = await served.fetch('/a2a/slow', { headers, body: a2a('message/stream') })
    const waiting = served.ask('/a2a/slow', { headers, body: a2a('message/send') })
    expect(stream.status).to.equal(200)
    await secured.storage.tokens.revoke(id, Date.now())
    expect(lastOf(await stream.text()))
      .to.include(REVOKED)
      .and.include('"failed"')
    const { status, text } = await waiting
    expect([status, text.includes(REVOKED)], text).to.deep.equal([401, true])
  })

  it('is told to readers of a run, by the reason why it ended', async () => {
    const own = await secured.issue({ id: 'eva' })
    const short = await secured.issue({ id: 'eva' }, Date.now() + 1500)
    const [[path, body]] = questions('slow', 'count') as [[string, object]]
    const stream = await served.fetch(path, {
      headers: own.headers,
      body: { ...body, stream: true },
    })
    const events = `/runs/${stream.headers.get('x-run-id')}/events`
    const reader = await served.fetch(events, { headers: short.headers })
    const last = lastOf(await reader.text())
    expect(last).to.include('"type":"error"').and.include('"code":"UNAUTHORIZED"')
    expect(last).to.include('The token has expired.')
    expect(await stream.text()).to.include('"finish_reason":"stop"')
  })

  it('is the answer to requests that wait for a whole one, with the status 401', async () => {
    const { id, headers } = await secured.issue({ id: 'eva' })
    const whole = questions('slow', 'count').slice(0, 3)
    const answers = whole.map(([path, body]) => served.ask(path, { headers, body }))
    while (served.activeRuns < whole.length) await new Promise(setImmediate)
    await secured.storage.tokens.revoke(id, Date.now())
    for (const { status, text } of await Promise.all(answers)) {
      expect([status, text.includes(REVOKED)]).to.deep.equal([401, true])
    }
  })

  it('stops the runs that the token began, which stay in their conversations as far as they came', async () => {
    const { id, headers } = await secured.issue({ id: 'eva' })
    const kept = await secured.issue({ id: 'eva' })
    const chat = questions('slow', 'count').find(([path]) => path === '/api/chat') ?? expect.fail()
    const stream = await served.fetch(chat[0], { headers, body: chat[1] })
    await secured.storage.tokens.revoke(id, Date.now())
    await stream.text()
    while (served.activeRuns > 0) await new Promise(setImmediate)
    const seen = await served.ask('/api/conversations/c', { headers: kept.headers })
    expect(seen.text).to.include('"status":"aborted"').and.include('number')
  })
})
