import { expect } from 'chai'
import { memoryStorage, run, type Storage } from '../../src/agent/index.ts'
import { createHost } from '../../src/core/index.ts'
import type { RunEventBody } from '../../src/plugin/events/index.ts'
import { decodeRequest, type Protocol, toResponse } from '../../src/server/index.ts'
import { ANSWER, CUT, Flaky } from '../agent/flaky-provider.ts'
import { textEvents } from '../helpers/hosts.ts'
import { Served } from './routes/served.ts'

const messages = [{ role: 'user', content: 'hi' }]
const UI = {
  id: 'c',
  agent: 'm',
  messages: [{ id: 'u', role: 'user', parts: [{ type: 'text', text: 'hi' }] }],
}
const AG_UI = {
  threadId: 't',
  runId: 'r',
  messages: [{ id: 'u', ...messages[0] }],
  tools: [],
  context: [],
  state: {},
}

/** A request of each protocol, and whether its client can discard what it was shown. */
const REQUESTS: readonly (readonly [
  Protocol,
  body: object,
  canReset: boolean,
  headers?: object,
])[] = [
  ['chat-completions', { model: 'm', messages, stream: true }, false],
  ['chat-completions', { model: 'm', messages }, true],
  ['responses', { model: 'm', input: 'hi', stream: true }, false],
  ['responses', { model: 'm', input: 'hi' }, true],
  ['anthropic-messages', { model: 'm', max_tokens: 9, messages, stream: true }, false],
  ['anthropic-messages', { model: 'm', max_tokens: 9, messages }, true],
  ['ag-ui', AG_UI, false],
  ['ui-message-stream', UI, false],
  ['ui-message-stream', UI, false, { 'x-braidwork-sdk': '6' }],
  ['ui-message-stream', UI, true, { 'x-braidwork-sdk': '7' }],
]

const requestOf = (body: object, headers: object = {}) =>
  new Request('http://localhost/', {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { ...headers },
  })

describe('a client whose step starts again', () => {
  it('AW-26 can discard what it was shown if its protocol can say so', async () => {
    for (const [protocol, body, canReset, headers] of REQUESTS) {
      const decoded = await decodeRequest(requestOf(body, headers), { protocol })
      expect(decoded.canReset, `${protocol} ${JSON.stringify(body)}`).to.equal(canReset)
    }
  })

  it('AW-26 gets an error after output that it cannot discard, and else the second answer', async () => {
    for (const [protocol, body, canReset, headers] of REQUESTS) {
      const half = { events: textEvents('half').slice(0, 2), error: CUT }
      await using host = await createHost({ plugins: [new Flaky(half, ANSWER).plugin()] })
      const decoded = await decodeRequest(requestOf(body, headers), { protocol })
      const retry = { max_retries: 2, backoff_base_ms: 0 }
      const response = await toResponse(run(host, { ...decoded, retry }), decoded)
      const text = await response.text()
      expect(text.includes('fine'), text).to.equal(canReset)
      expect(/stream_interrupted|too early/i.test(text), text).to.equal(!canReset)
    }
  })

  it('AW-26 is remembered with its run, for whoever goes on with it', async () => {
    const storage: Storage = memoryStorage()
    const served = await Served.start({ storage, models: { m: {} } })
    try {
      const orderOf = async (path: string, conversation: string, body: object) => {
        expect((await served.ask(path, { method: 'POST', body })).status).to.equal(200)
        return (await storage.runs.last('ada', conversation))?.order
      }
      expect(await orderOf('/api/chat?sdk=7', 'a', { ...UI, id: 'a' })).to.include({
        canReset: true,
      })
      expect(await orderOf('/api/chat', 'b', { ...UI, id: 'b' })).to.include({ canReset: false })
      const agUi = { ...AG_UI, threadId: 'd', forwardedProps: { agent: 'm' } }
      expect(await orderOf('/ag-ui', 'd', agUi)).to.include({ canReset: false })
    } finally {
      await served.close()
    }
  })

  it('LR-06 is told that a request failed, but not which model and files are behind the agent', async () => {
    const storage: Storage = memoryStorage()
    const model = { provider: 'secret-provider', model: 'secret-model' }
    const bodies: readonly RunEventBody[] = [
      { type: 'start', requestId: 'r' },
      { type: 'model-chosen', candidates: [model], excluded: [], chosen: model, reason: 'secret' },
      {
        type: 'model-failed',
        step: 1,
        model,
        attempt: 1,
        error: { code: 'OVERLOADED' },
        isShown: false,
        breaker: 'closed',
        next: 'end',
        reason: 'secret',
      },
      {
        type: 'context-resolved',
        step: 1,
        requestId: 'r',
        items: [{ kind: 'file', ref: '/secret/notes.md', status: 'included', plugin: 'secret' }],
        omitted: 0,
      },
      { type: 'error', error: { code: 'OVERLOADED', message: 'busy' } },
    ]
    const events = bodies.map((body, seq) => ({ ...body, runId: 'x', seq }))
    const [holder, order] = ['h', { protocol: 'ag-ui', agent: 'm', tools: [] }]
    const lease = { holder, expiresAt: 1e15 }
    await storage.runs.start({ id: 'x', owner: 'bob', order }, lease, { entries: [] }, 1)
    await storage.runs.end({ runId: 'x', holder, status: 'failed', events, entries: [] }, 2)
    const served = await Served.start({ storage, models: { m: {} } })
    try {
      const { text } = await served.ask('/runs/x/events', { as: 'bob' })
      expect(text).to.include('event: model-chosen').and.include('"next":"end"')
      expect(text).to.include('event: context-resolved').and.include('"kind":"file"')
      expect(text).to.not.include('secret')
      const facts = await served.ask('/runs/x/facts', { as: 'bob' })
      expect(facts.text).to.include('context.resolved').and.not.include('secret')
    } finally {
      await served.close()
    }
  })
})
