import { once } from 'node:events'
import type { Socket } from 'node:net'
import { expect } from 'chai'
import { memoryStorage } from '../../../src/agent/memory-storage/index.ts'
import { BRISK } from '../clients/scripts.ts'
import { until } from '../load/local-server.ts'
import { head, type OnSocket, onSocket, said } from './on-socket.ts'

const TIMEOUTS = { headers: 200, request: 400 }

describe('slow clients', () => {
  let served: OnSocket
  before(async () => {
    served = await onSocket({ models: BRISK }, { timeouts: TIMEOUTS })
  })
  after(() => served.close())

  it('that say nothing are sent away', async () => {
    const { status } = await said(await served.connect())
    expect(status).to.be.oneOf([0, 408])
  })

  it('that never end their headers are sent away, however steadily they write', async () => {
    const socket = await served.connect()
    socket.on('error', () => undefined)
    const writing = setInterval(() => socket.write('X-A: b\r\n'), 20)
    const startedAt = performance.now()
    socket.write('GET /v1/models HTTP/1.1\r\nHost: localhost\r\n')
    const { status } = await said(socket)
    clearInterval(writing)
    expect(status).to.be.oneOf([0, 408])
    expect(performance.now() - startedAt).to.be.below(5000)
  })

  it('that never end their body are sent away, and begin no run', async () => {
    const socket = await served.connect()
    socket.on('error', () => undefined)
    socket.write(head('POST /v1/messages', { 'Content-Length': 1000 }))
    const writing = setInterval(() => socket.write(' '), 20)
    const { status } = await said(socket)
    clearInterval(writing)
    expect(status).to.be.oneOf([0, 400, 408])
    expect(served.server.activeRuns).to.equal(0)
  })

  it('are not those whose answer takes its time', async () => {
    const messages = [{ role: 'user', content: 'count' }]
    const answer = await served.ask('/v1/chat/completions', { model: 'slow', messages })
    expect(await answer.text()).to.include('number 60')
  })
})

describe('clients that vanish in the middle', () => {
  const CANCEL_AFTER = 150
  const storage = memoryStorage()
  let served: OnSocket
  before(async () => {
    served = await onSocket({ storage, models: BRISK, cancelAfter: CANCEL_AFTER })
  })
  after(() => served.close())

  const user = { role: 'user', content: 'count' }
  const parts = [{ type: 'text', text: 'count' }]
  const CHAT = { id: 'talk', agent: 'slow', messages: [{ id: 'q', role: 'user', parts }] }
  const AG_UI = {
    threadId: 'thread',
    runId: 'r',
    messages: [{ id: 'm', ...user }],
    tools: [],
    context: [],
    state: {},
    forwardedProps: { agent: 'slow' },
  }

  /** Asks, and leaves when the answer has begun; the run's id. */
  async function leave(path: string, body: object, how: 'reset' | 'end'): Promise<string> {
    const text = JSON.stringify(body)
    const socket: Socket = await served.connect()
    socket.on('error', () => undefined)
    socket.write(head(`POST ${path}`, { 'Content-Length': Buffer.byteLength(text) }) + text)
    let got = ''
    while (!got.includes('number')) got += String((await once(socket, 'data'))[0])
    if (how === 'reset') socket.resetAndDestroy()
    else socket.destroy()
    return /x-run-id: (\S+)/i.exec(got)?.[1] ?? ''
  }

  for (const how of ['reset', 'end'] as const) {
    for (const [path, body] of [
      ['/v1/chat/completions', { model: 'slow', messages: [user], stream: true, store: true }],
      ['/v1/responses', { model: 'slow', input: 'count', stream: true, store: true }],
    ] as const) {
      it(`have their run stopped at once: ${path}, ${how}`, async () => {
        const run = await leave(path, body, how)
        await until(() => served.server.activeRuns === 0)
        expect(await storage.runs.load('ada', run)).to.include({ status: 'aborted' })
      })
    }
  }

  it('have their run stopped at once: /v1/messages', async () => {
    const body = { model: 'slow', messages: [user], max_tokens: 100, stream: true }
    await leave('/v1/messages', body, 'reset')
    await until(() => served.server.activeRuns === 0)
  })

  it('have their run stopped where the answer was to come in one piece', async () => {
    const text = JSON.stringify({ model: 'slow', messages: [user], max_tokens: 100 })
    const socket = await served.connect()
    socket.write(head('POST /v1/messages', { 'Content-Length': text.length }) + text)
    await until(() => served.server.activeRuns === 1)
    socket.resetAndDestroy()
    await until(() => served.server.activeRuns === 0)
  })

  for (const [path, body] of [
    ['/api/chat', CHAT],
    ['/ag-ui', AG_UI],
  ] as const) {
    it(`have their run stopped when nobody came back in time: ${path}`, async () => {
      const run = await leave(path, body, 'reset')
      const leftAt = performance.now()
      expect(served.server.activeRuns).to.equal(1)
      await until(() => served.server.activeRuns === 0)
      expect(performance.now() - leftAt).to.be.at.least(CANCEL_AFTER - 20)
      const stored = await storage.runs.load('ada', run)
      expect(stored).to.include({ status: 'aborted' })
      // What had been said is kept.
      const history = await storage.conversations.history('ada', stored?.conversationId ?? '')
      expect(JSON.stringify(history.at(-1))).to.include('number 1')
    })
  }

  it('leave a run in the background alone', async () => {
    const body = { model: 'slow', input: 'count', stream: true, store: true, background: true }
    const run = await leave('/v1/responses', body, 'reset')
    await until(() => served.server.activeRuns === 0)
    expect(await storage.runs.load('ada', run)).to.include({ status: 'done' })
  })

  it('count as gone where they half-close, as a client that leaves does', async () => {
    const text = JSON.stringify({ model: 'slow', messages: [user], max_tokens: 1000 })
    const socket = await served.connect({ allowHalfOpen: true })
    socket.write(head('POST /v1/messages', { 'Content-Length': text.length }) + text)
    await until(() => served.server.activeRuns === 1)
    const spoken = said(socket)
    socket.end()
    await until(() => served.server.activeRuns === 0)
    expect((await spoken).text).to.not.include('200 OK')
  })
})
