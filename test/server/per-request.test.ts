import { expect } from 'chai'
import { memoryStorage } from '../../src/agent/memory-storage/index.ts'
import { type Config, HostError, type Message } from '../../src/plugin/index.ts'
import type { AskedRequest, Identity, PerRequest } from '../../src/server/index.ts'
import { eventProvider, schema, tool } from '../helpers/plugins.ts'
import { chatBody, Served, user } from './routes/served.ts'

const ADA: Identity = { id: 'ada', role: 'user', data: { team: 'blue' } }
const messages = [{ role: 'user', content: 'hi' }]
const CHAT = '/v1/chat/completions'
const body = { model: 'm', messages }

describe('the functions of a server', () => {
  let asked: { readonly messages: readonly Message[]; readonly config: Config }[]
  let lines: { readonly level: string; readonly message: string; readonly code?: unknown }[]
  const open: Served[] = []
  beforeEach(() => {
    asked = []
    lines = []
  })
  afterEach(async () => {
    for (const served of open.splice(0)) await served.close()
  })

  async function serve(functions: PerRequest, more: object = {}, config: object = {}) {
    const stream = (native: unknown, _state: unknown, context: { readonly config: Config }) => {
      asked.push({ messages: native as readonly Message[], config: context.config })
      const isAnswered = JSON.stringify(native).includes('tool-result')
      const call = [
        { type: 'tool-call-start', id: 'c', name: 'look' },
        { type: 'tool-call-end', id: 'c', input: {} },
      ]
      const said = [
        { type: 'text-start', id: '1' },
        { type: 'text-delta', id: '1', delta: 'ok' },
        { type: 'text-end', id: '1' },
      ]
      return config && 'tool_policy' in config && !isAnswered ? call : said
    }
    const embed = (_inputs: unknown, _options: unknown, context: { readonly config: Config }) => {
      asked.push({ messages: [], config: context.config })
      return { vectors: [[1]] }
    }
    const served = await Served.start(
      {
        models: { m: { config: { temperature: 1 } } },
        authenticate: () => ADA,
        log: (line) => lines.push(line),
        ...functions,
        ...more,
      },
      {
        plugins: [
          eventProvider([], { tags: ['tools'], stream, embed }),
          tool('t', { getToolSchemas: () => [schema('look')], executeTool: () => 'seen' }),
        ],
        config: { provider: 'p', ...config },
      },
    )
    open.push(served)
    return served
  }

  it('are asked about each request, with its caller, and what it asks for', async () => {
    const seen: [unknown, AskedRequest][] = []
    const served = await serve({
      instructions: (caller, request) => {
        seen.push([caller, request])
        return `You talk to ${caller.id} of ${caller.data?.['team']}.`
      },
    })
    const headers = { 'x-lang': 'de' }
    await served.ask(CHAT, { body, headers })
    await served.ask('/v1/messages', { body: { ...body, max_tokens: 9 } })
    await served.ask('/v1/responses', { body: { model: 'm', input: 'hi' } })
    await served.ask('/api/chat', { body: chatBody('c', [user('q', 'hi')], { agent: 'm' }) })
    await served.ask('/ag-ui', {
      body: {
        threadId: 't',
        runId: 'r',
        tools: [],
        context: [],
        messages: [{ ...messages[0], id: 'x' }],
      },
    })
    expect(
      seen.map(([, { protocol, agent, conversationId }]) => [protocol, agent, conversationId]),
    ).to.deep.equal([
      ['chat-completions', 'm', undefined],
      ['anthropic-messages', 'm', undefined],
      ['responses', 'm', undefined],
      ['ui-message-stream', 'm', 'c'],
      ['ag-ui', 'm', 't'],
    ])
    expect(seen[0]?.[0]).to.deep.equal(ADA)
    expect(seen[0]?.[1].headers.get('x-lang')).to.equal('de')
    for (const { messages: sent } of asked) {
      expect(sent.map(({ role }) => role)).to.deep.equal(['system', 'user'])
      expect(sent[0]?.parts).to.deep.equal([{ type: 'text', text: 'You talk to ada of blue.' }])
    }
    expect(JSON.stringify(await served.history('c'))).not.to.include('You talk to')
  })

  it('give a config over that of the model, and below what the request sets', async () => {
    const served = await serve({ config: ({ id }) => ({ temperature: 0.5, top_p: 0.1, own: id }) })
    await served.ask(CHAT, { body: { ...body, temperature: 0.2 } })
    expect(asked[0]?.config).to.include({ temperature: 0.2, top_p: 0.1, own: 'ada' })
    await served.ask('/v1/embeddings', { body: { model: 'm', input: 'hi' } })
    expect(asked[1]?.config).to.include({ temperature: 0.5, own: 'ada' })
  })

  it('change nothing where they return undefined', async () => {
    const served = await serve({ instructions: () => undefined, config: async () => undefined })
    expect((await served.ask(CHAT, { body })).status).to.equal(200)
    expect(asked[0]?.messages).to.have.length(1)
    expect(asked[0]?.config).to.include({ temperature: 1 })
  })

  it('are not asked again for a repeated request', async () => {
    let count = 0
    const served = await serve({ config: () => ({ count: ++count }) })
    const stored = { body: { ...body, store: true }, headers: { 'idempotency-key': 'k' } }
    await served.ask(CHAT, stored)
    await served.ask(CHAT, stored)
    expect(count).to.equal(1)
  })

  it('still count after an approval, on another process whose functions say something else', async () => {
    const storage = memoryStorage()
    const policy = { tool_policy: { look: 'ask' } }
    const functions = { instructions: () => 'Be kind.', config: () => ({ own: 1 }) }
    const first = await serve(functions, { storage }, policy)
    const chat = chatBody('c', [user('q', 'hi')], { agent: 'm' })
    const { text } = await first.ask('/api/chat', { body: chat })
    const [, id] = /"approvalId":"([^"]+)"/.exec(text) ?? []
    await first.close()
    open.length = 0
    const other = { instructions: () => 'Be rude.', config: () => ({ own: 2 }) }
    const second = await serve(other, { storage }, policy)
    const answer = await second.ask(`/approvals/${id}`, { body: { approved: true } })
    const { runId } = JSON.parse(answer.text) as { readonly runId: string }
    await second.ask(`/runs/${runId}/events`)
    expect(asked).to.have.length(2)
    for (const { messages: sent, config } of asked) {
      expect(JSON.stringify(sent[0])).to.include('Be kind.')
      expect(config['own']).to.equal(1)
    }
  })

  it('that fail end the request with an error that leaks nothing', async () => {
    for (const [functions, code] of [
      [
        { instructions: () => Promise.reject(new Error('no table users at db.internal')) },
        'HOOK_FAILED',
      ],
      [
        {
          config: () => {
            throw new TypeError('no table users at db.internal')
          },
        },
        'HOOK_FAILED',
      ],
      [{ instructions: () => 3 }, 'HOOK_ANSWER_INVALID'],
      [{ config: () => 'users' }, 'HOOK_ANSWER_INVALID'],
      [{ config: () => ({ temperature: 'users' }) }, 'CONFIG_INVALID'],
    ] as const) {
      lines = []
      const served = await serve(functions as unknown as PerRequest)
      const { status, text } = await served.ask(CHAT, { body })
      expect(status, code).to.equal(500)
      expect(text).not.to.match(/users|internal|instructions|temperature|function/)
      expect(lines.find(({ level }) => level === 'error')).to.include({ code })
      if (code === 'HOOK_FAILED') {
        expect(lines.some(({ message }) => message.includes('per-request.test.ts'))).to.equal(true)
      }
      expect(JSON.stringify(lines)).not.to.include('db.internal')
      expect(asked).to.deep.equal([])
      expect(served.activeRuns).to.equal(0)
    }
  })

  it('may refuse a request in words for its client', async () => {
    const refusal = new HostError('REQUEST_INVALID', 'Your plan does not include this model.')
    const served = await serve({ config: () => Promise.reject(refusal) })
    const { status, text } = await served.ask(CHAT, { body })
    expect(status).to.equal(400)
    expect(text).to.include('Your plan does not include')
  })
})
