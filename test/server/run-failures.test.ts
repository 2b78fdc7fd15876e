import { expect } from 'chai'
import scripted from '../../providers/scripted/index.ts'
import { createRuntime } from '../../src/agent/index.ts'
import { memoryStorage } from '../../src/agent/memory-storage/index.ts'
import { storageError } from '../../src/agent/storage/storage-error.ts'
import { HostError } from '../../src/plugin/errors.ts'
import type { Log } from '../../src/plugin/index.ts'
import { chatBody, type JsonAnswer, Served, user } from './routes/served.ts'

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

  it('keeps the text that a reader of a response in the background was shown', async () => {
    const body = { model: 'quick', input: 'break', background: true, stream: true }
    const { headers, text } = await served.ask('/v1/responses', { body })
    const id = `resp_${headers.get('x-run-id')}`
    const shown = text
      .split('\n')
      .filter((line) => line.includes('"response.output_text.delta"') && line.startsWith('data: '))
      .map((line) => (JSON.parse(line.slice(6)) as { readonly delta: string }).delta)
      .join('')
    expect(shown).not.to.equal('')
    const { json } = await served.ask(`/v1/responses/${id}`)
    expect(json).to.include({ status: 'failed' })
    const [item] = json['output'] as unknown as readonly JsonAnswer[]
    expect(item).to.include({ type: 'message', status: 'incomplete' })
    expect(item?.['content']).to.have.nested.property('[0].text', shown)
  })

  for (const [name, path, body] of [
    ['chat completions', '/v1/chat/completions', { messages: ask('overload') }],
    ['responses', '/v1/responses', { input: 'overload' }],
    ['messages', '/v1/messages', { messages: ask('overload'), max_tokens: 50 }],
    ['a chat page', '/api/chat', chatBody('early', [user('q', 'overload')], { agent: 'quick' })],
  ] as const) {
    it(`has a status of its own, and its id, where its stream has shown nothing yet: ${name}`, async () => {
      const streamed = path === '/api/chat' ? body : { model: 'quick', stream: true, ...body }
      const { status, headers } = await served.ask(path, { body: streamed })
      expect(status).to.be.within(500, 529)
      expect(headers.get('content-type')).to.include('application/json')
      const runId = headers.get('x-run-id')
      expect(runId).to.equal(errors()[0]?.['runId'])
      expect(lines.find(({ message }) => message === 'request')).to.include({ runId })
    })
  }

  it('for a wrong value in the config of its agent is in the log with the agent and the place', async () => {
    const refuses = {
      kind: 'feature',
      name: 'refuses',
      init: () => {
        const pointer = '/response_format/schema/type'
        throw new HostError('CONFIG_INVALID', 'no such type', { plugin: 'refuses', pointer })
      },
    }
    const response_format = { type: 'json-schema', schema: { type: 'objct' } } as const
    const own: Parameters<Log>[0][] = []
    const wrong = await Served.start(
      { log: (line) => own.push(line) },
      { plugins: [scripted, refuses], config: { provider: 'scripted' } },
      async (host) => ({
        models: {},
        runtime: await createRuntime({
          host,
          agents: [{ id: 'typist', config: { response_format } }],
        }),
      }),
    )
    const asked = { model: 'typist', messages: ask('hi') }
    const { status, headers } = await wrong.ask('/v1/chat/completions', { body: asked })
    expect(status).to.equal(500)
    const runId = headers.get('x-run-id')
    const told = own.find(({ level }) => level === 'error')
    expect(told).to.include({
      code: 'CONFIG_INVALID',
      plugin: 'refuses',
      agent: 'typist',
      pointer: '/response_format/schema/type',
      runId,
    })
    await wrong.close()
  })

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

describe('a run whose end cannot be stored', () => {
  it('is in the log and in the metrics as failed', async () => {
    const storage = memoryStorage()
    const end = () => Promise.reject(storageError(new Error('full'), false))
    const runs = new Proxy(storage.runs, {
      get: (target, name) => {
        const member: unknown = name === 'end' ? end : Reflect.get(target, name)
        return typeof member === 'function' ? member.bind(target) : member
      },
    })
    const lines: Parameters<Log>[0][] = []
    const served = await Served.start({
      storage: { ...storage, runs },
      log: (line) => lines.push(line),
    })
    await served.ask('/api/chat', { body: chatBody('talk', [user('q', 'hi')], { agent: 'quick' }) })
    await served.close()
    const told = lines.filter(({ message }) => message === 'run')
    expect(told.map(({ status }) => status)).to.deep.equal(['failed'])
  })
})
