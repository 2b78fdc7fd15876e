import { expect } from 'chai'
import type { Context } from '../../src/plugin/index.ts'
import { eventProvider } from '../helpers/plugins.ts'
import { Served } from './routes/served.ts'

const SAID = [
  { type: 'text-start', id: '1' },
  { type: 'text-delta', id: '1', delta: 'hi' },
  { type: 'text-end', id: '1' },
]

const messages = [{ role: 'user', content: 'hi' }]

/** A request in the words of each protocol. */
const REQUESTS: { readonly [path: string]: object } = {
  '/v1/chat/completions': { messages },
  '/v1/responses': { input: 'hi' },
  '/v1/messages': { messages, max_tokens: 10 },
}

interface Line {
  readonly message: string
  readonly [fact: string]: unknown
}

describe('the warnings of a request', () => {
  let served: Served
  let lines: Line[]
  beforeEach(() => {
    lines = []
  })
  afterEach(() => served.close())

  /** Serves a model whose provider gives these warnings. */
  async function serve(warnings: readonly string[], logsContent = false, more = {}): Promise<void> {
    const stream = (_native: unknown, _state: unknown, context: Context) => {
      for (const warning of warnings) context.warn(warning)
      return SAID
    }
    served = await Served.start(
      {
        models: { quick: { config: { model: 'm' } } },
        log: (line) => lines.push(line),
        logsContent,
      },
      {
        plugins: [eventProvider([], { stream, models: ['m'], configSchema: WITH_KEY })],
        config: { provider: 'p', settings: { p: { api_key: 'secret-0123456789' }, ...more } },
      },
    )
  }
  const asked = (path: string, more: object = {}) =>
    served.ask(path, { body: { model: 'quick', ...REQUESTS[path], ...more } })
  const runLine = () => lines.find(({ message }) => message === 'run')

  for (const path of Object.keys(REQUESTS)) {
    it(`are counted in a header of ${path}, unless the answer is streamed`, async () => {
      await serve(['The API takes no seed.', 'The API takes no stop.'])
      const whole = await asked(path)
      expect(whole.status).to.equal(200)
      expect(whole.headers.get('x-braidwork-warnings')).to.equal('2')
      const streamed = await asked(path, { stream: true })
      expect(streamed.status).to.equal(200)
      expect(streamed.headers.has('x-braidwork-warnings')).to.equal(false)
    })

    it(`have no header of ${path} if there are none`, async () => {
      await serve([])
      expect((await asked(path)).headers.has('x-braidwork-warnings')).to.equal(false)
      expect(runLine()).to.be.an('object').and.not.have.property('warnings')
    })
  }

  it('are counted in a header of a task of A2A, unless the answer does not wait for it', async () => {
    await serve(['The API takes no seed.'])
    let sent = 0
    const send = (configuration: object) => {
      const message = { messageId: `m${++sent}`, role: 'ROLE_USER', parts: [{ text: 'hi' }] }
      const params = { message, configuration }
      const body = { jsonrpc: '2.0', id: 1, method: 'SendMessage', params }
      return served.ask('/a2a/quick', { body })
    }
    const waited = await send({})
    expect([waited.status, waited.headers.get('x-braidwork-warnings')]).to.deep.equal([200, '1'])
    const immediate = await send({ returnImmediately: true })
    expect(immediate.status).to.equal(200)
    expect(immediate.headers.has('x-braidwork-warnings')).to.equal(false)
  })

  it('belong to the answer of their own request: one that reads it again has no header', async () => {
    await serve(['The API takes no seed.'])
    const { json, headers } = await asked('/v1/responses', { store: true })
    expect(headers.get('x-braidwork-warnings')).to.equal('1')
    const again = await served.ask(`/v1/responses/${json['id']}`)
    expect(again.status).to.equal(200)
    expect(again.headers.has('x-braidwork-warnings')).to.equal(false)
  })

  it('are counted without the faults of the config, which no request is about', async () => {
    await serve(['The API takes no seed.'], false, { missing: { key: 1 } })
    const { headers } = await asked('/v1/chat/completions')
    expect(headers.get('x-braidwork-warnings')).to.equal('1')
    expect(runLine()).to.include({ warnings: 2 })
  })

  it('are counted in the line of the run, without their texts', async () => {
    await serve(['The API takes no xyzzy.'])
    await asked('/v1/chat/completions', { stream: true })
    expect(runLine()).to.include({ warnings: 1 })
    expect(JSON.stringify(lines)).to.not.include('xyzzy')
  })

  it('have their texts in the line of the run where the log has contents, without secrets', async () => {
    const many = Array.from({ length: 30 }, (_, at) => `${at} ${'x'.repeat(2000)}`)
    await serve(['It refused secret-0123456789.', ...many], true)
    await asked('/v1/chat/completions')
    const texts = runLine()?.['warningTexts'] as readonly string[]
    expect(runLine()).to.include({ warnings: 31 })
    expect(texts).to.have.length(20)
    expect(texts[0]).to.equal('p: It refused ***.')
    for (const text of texts) expect(text.length).to.be.at.most(1000)
  })
})

const WITH_KEY = {
  type: 'object',
  properties: { api_key: { type: 'string', writeOnly: true } },
}
