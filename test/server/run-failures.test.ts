import { expect } from 'chai'
import type { Log } from '../../src/plugin/index.ts'
import { chatBody, Served, user } from './routes/served.ts'

const ask = (content: string) => [{ role: 'user', content }]

/** A request of each protocol, in one piece where it can be. */
const REQUESTS: {
  readonly [name: string]: (text: string) => readonly [path: string, body: object, model?: string]
} = {
  'chat completions': (text) => ['/v1/chat/completions', { messages: ask(text) }],
  'chat completions, streamed': (text) => [
    '/v1/chat/completions',
    { messages: ask(text), stream: true },
  ],
  responses: (input) => ['/v1/responses', { input }],
  'responses in the background': (input) => ['/v1/responses', { input, background: true }],
  messages: (text) => ['/v1/messages', { messages: ask(text), max_tokens: 50 }],
  'a chat page': (text) => ['/api/chat', chatBody(`talk ${text}`, [user('q', text)])],
}

describe('a run that fails', () => {
  const lines: Parameters<Log>[0][] = []
  let served: Served
  before(async () => {
    served = await Served.start({ log: (line) => lines.push(line) })
  })
  after(() => served.close())
  beforeEach(() => lines.splice(0))

  const errors = () => lines.filter(({ level }) => level === 'error')

  for (const [name, request] of Object.entries(REQUESTS)) {
    for (const [text, code] of [
      ['overload', 'OVERLOADED'],
      ['break', 'STREAM_INTERRUPTED'],
    ] as const) {
      it(`is in the log once, with its reason: ${name}, ${code}`, async () => {
        const [path, body] = request(text)
        const { headers } = await served.ask(path, {
          body: { [path === '/api/chat' ? 'agent' : 'model']: 'quick', ...body },
        })
        const runId = headers.get('x-run-id')
        // To its end, also where the answer did not wait for it.
        if (runId !== null) await served.ask(`/runs/${runId}/events`)
        expect(errors()).to.have.length(1)
        expect(errors()[0]).to.include({ code })
        expect(errors()[0]?.message).to.include('"scripted"')
        if (runId !== null) expect(errors()[0]).to.include({ runId })
      })
    }
  }

  for (const [name, path, body] of [
    ['chat completions', '/v1/chat/completions', { messages: ask('overload') }],
    ['responses', '/v1/responses', { input: 'overload' }],
    ['messages', '/v1/messages', { messages: ask('overload'), max_tokens: 50 }],
  ] as const) {
    it(`has a status of its own where its stream has shown nothing yet: ${name}`, async () => {
      const streamed = { model: 'quick', stream: true, ...body }
      const { status, headers } = await served.ask(path, { body: streamed })
      expect(status).to.be.within(500, 529)
      expect(headers.get('content-type')).to.include('application/json')
    })
  }

  it('for what the caller did, or because it was stopped, is not in the log', async () => {
    const wrong = { model: 'quick', messages: [{ role: 'tool', tool_call_id: 'x', content: 'y' }] }
    expect((await served.ask('/v1/chat/completions', { body: wrong })).status).to.equal(400)
    const slow = await served.fetch('/api/chat', {
      body: chatBody('stopped', [user('q', 'count')], { agent: 'slow' }),
    })
    await served.ask('/api/chat/stopped/stop', { body: {} })
    await slow.text()
    expect(errors()).to.deep.equal([])
  })
})
