import { setImmediate as turn } from 'node:timers/promises'
import { expect } from 'chai'
import { memoryStorage } from '../../../../src/agent/memory-storage/index.ts'
import { BRISK } from '../../clients/scripts.ts'
import { type Answered, type Asked, Served } from '../served.ts'

const HEADERS = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
}
const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'tests', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
}
const MODERN = { 'mcp-protocol-version': '2026-07-28' }

const rpc = (method: string, params: object = {}, id: number | string = 1) => ({
  jsonrpc: '2.0',
  id,
  method,
  params,
})
const initialize = (protocolVersion = '2025-11-25') =>
  rpc('initialize', {
    protocolVersion,
    capabilities: {},
    clientInfo: { name: 'tests', version: '1' },
  })
const call = (message: string, more: object = {}) =>
  rpc('tools/call', { name: 'quick', arguments: { message }, ...more }, 'mine')

interface Fault {
  readonly code: number
  readonly message: string
}

/** The messages in a stream of events. */
function messagesIn(text: string): readonly { readonly id?: string; readonly result?: object }[] {
  return [...text.matchAll(/^data: (\{.*)$/gm)].map(([, json]) => JSON.parse(String(json)))
}

describe('MCP over HTTP', () => {
  const storage = memoryStorage()
  let served: Served
  before(async () => {
    served = await Served.start({
      storage,
      models: BRISK,
      cancelAfter: 30,
      limits: { body: 100_000 },
    })
  })
  after(() => served.close())

  const post = (body: unknown, options: Omit<Asked, 'body'> = {}): Promise<Answered> =>
    served.ask('/mcp', { body, ...options, headers: { ...HEADERS, ...options.headers } })
  const faultOf = ({ json }: Answered): Fault => (json['error'] ?? {}) as unknown as Fault

  async function begin(version?: string): Promise<{ readonly 'mcp-session-id': string }> {
    const answer = await post(initialize(version))
    expect(answer.status).to.equal(200)
    return { 'mcp-session-id': answer.headers.get('mcp-session-id') ?? expect.fail('No session.') }
  }

  /** The status of the run of a conversation, once it has ended. */
  async function endOf(conversation: string): Promise<string> {
    let [run] = await storage.runs.list('ada', conversation)
    while (!run) {
      await turn()
      run = (await storage.runs.list('ada', conversation))[0]
    }
    // The events end with the run.
    await served.ask(`/runs/${run.id}/events`)
    return (await storage.runs.load('ada', run.id))?.status ?? 'unknown'
  }

  it('answers a request of revision 2026-07-28 without a session', async () => {
    const body = rpc('tools/call', {
      name: 'quick',
      arguments: { message: 'hello' },
      _meta: META,
    })
    const headers = { ...MODERN, 'mcp-method': 'tools/call', 'mcp-name': 'quick' }
    const { status, json, headers: given } = await post(body, { headers })
    expect(status).to.equal(200)
    expect(json['result']?.['content']).to.deep.equal([{ type: 'text', text: 'You said: hello' }])
    expect(given.has('mcp-session-id')).to.equal(false)
  })

  it('refuses who has no token, in JSON-RPC', async () => {
    const refused = await post(initialize(), { headers: { authorization: 'Bearer wrong' } })
    expect(refused.status).to.equal(401)
    expect(refused.json['jsonrpc']).to.equal('2.0')
    const page = await post(initialize(), { headers: { origin: 'https://elsewhere.example' } })
    expect(page.status).to.equal(403)
  })

  it('has sessions of earlier revisions, each for the one who began it', async () => {
    const session = await begin()
    const listed = await post(rpc('tools/list'), { headers: session })
    expect(listed.status).to.equal(200)
    const other = await post(rpc('tools/list'), { headers: session, as: 'bob' })
    expect(other.status).to.equal(404)
    expect(faultOf(other).code).to.equal(-32001)
    const ended = await served.ask('/mcp', { method: 'DELETE', headers: session })
    expect(ended.status).to.equal(200)
    const late = await post(rpc('tools/list'), { headers: session })
    expect(late.status).to.equal(404)
    expect(faultOf(late).message).to.include('There is no such session, or it has ended.')
  })

  it('refuses a request without the session that it needs', async () => {
    const without = await post(rpc('tools/list'))
    expect(without.status).to.equal(400)
    expect(faultOf(without).message).to.include('Mcp-Session-Id')
    const unknown = await post(rpc('tools/list'), { headers: { 'mcp-session-id': 'none' } })
    expect(unknown.status).to.equal(404)
  })

  it('keeps no session that did not begin', async () => {
    const refused = await post(initialize(), { headers: { accept: 'text/html' } })
    expect(refused.status).to.equal(406)
    expect(refused.headers.has('mcp-session-id')).to.equal(false)
  })

  it('agrees on a revision that it speaks, and refuses the envelope of another', async () => {
    for (const [asked, spoken] of [
      ['2024-11-05', '2024-11-05'],
      ['2025-06-18', '2025-06-18'],
      ['1999-01-01', '2025-11-25'],
    ] as const) {
      const { text } = await post(initialize(asked))
      expect(messagesIn(text).at(-1)?.result).to.include({ protocolVersion: spoken })
    }
    const _meta = { ...META, 'io.modelcontextprotocol/protocolVersion': '2099-01-01' }
    const headers = { 'mcp-protocol-version': '2099-01-01', 'mcp-method': 'tools/list' }
    const future = await post(rpc('tools/list', { _meta }), { headers })
    expect(future.status).to.equal(400)
    expect(future.json['error']?.['data']?.['supported']).to.deep.equal(['2026-07-28'])
  })

  it('lets a client read on whose stream was cut, and no other', async () => {
    const session = await begin()
    const headers = { ...HEADERS, ...session, 'mcp-protocol-version': '2025-11-25' }
    const slow = rpc('tools/call', { name: 'slow', arguments: { message: 'count' } }, 'mine')
    const stream = (await served.fetch('/mcp', { body: slow, headers })).body?.getReader()
    const first = new TextDecoder().decode((await stream?.read())?.value)
    const last = /^id: (.*)$/m.exec(first)?.[1] ?? expect.fail('The stream has no ids.')
    await stream?.cancel()
    const resume = (as: 'ada' | 'bob') =>
      served.ask('/mcp', { headers: { ...headers, 'last-event-id': last }, as })
    expect((await resume('bob')).status).to.equal(404)
    const { text } = await resume('ada')
    const answer = messagesIn(text).at(-1)
    expect(answer?.id).to.equal('mine')
    expect(JSON.stringify(answer?.result)).to.include('number 60')
  })

  it('stops the calls of a session whose client stays away, and ends it', async () => {
    const session = await begin()
    const conversation = 'left'
    const slow = rpc('tools/call', {
      name: 'slow',
      arguments: { message: 'count', conversation },
    })
    const response = await served.fetch('/mcp', { body: slow, headers: { ...HEADERS, ...session } })
    await response.body?.cancel()
    expect(await endOf(conversation)).to.equal('aborted')
    expect((await post(rpc('tools/list'), { headers: session })).status).to.equal(404)
  })

  it('stops the run of a request of 2026-07-28 whose client leaves', async () => {
    const conversation = 'left at once'
    const body = rpc('tools/call', {
      name: 'slow',
      arguments: { message: 'count', conversation },
      _meta: { ...META, progressToken: 1 },
    })
    const headers = { ...HEADERS, ...MODERN, 'mcp-method': 'tools/call', 'mcp-name': 'slow' }
    const response = await served.fetch('/mcp', { body, headers })
    await response.body?.cancel()
    expect(await endOf(conversation)).to.equal('aborted')
  })

  it('goes on with what it asked after a restart, for the one whom it asked', async () => {
    const shows = { elicitation: { form: {} } }
    const ask = (target: Served, more: object = {}, as: 'ada' | 'bob' = 'ada') => {
      const _meta = { ...META, 'io.modelcontextprotocol/clientCapabilities': shows }
      const params = { name: 'careful', arguments: { message: 'calculate' }, _meta, ...more }
      const headers = { ...HEADERS, ...MODERN, 'mcp-method': 'tools/call', 'mcp-name': 'careful' }
      return target.ask('/mcp', { body: rpc('tools/call', params), headers, as })
    }
    const first = await Served.start({ storage })
    const { json } = await ask(first)
    const { inputRequests, requestState } = json['result'] as unknown as {
      readonly inputRequests: object
      readonly requestState: string
    }
    await first.close()
    const [id] = Object.keys(inputRequests)
    const inputResponses = { [String(id)]: { action: 'accept', content: { approve: true } } }
    const second = await Served.start({ storage })
    try {
      const stolen = await ask(second, { requestState, inputResponses }, 'bob')
      expect(stolen.json['result']?.['isError']).to.equal(true)
      const again = await ask(second, { requestState })
      expect(again.json['result']?.['inputRequests']).to.deep.equal(inputRequests)
      const answered = await ask(second, { requestState, inputResponses })
      const text = 'It is {"expression":"6 * 7","result":"42","exact":true}.'
      expect(answered.json['result']?.['content']).to.deep.equal([{ type: 'text', text }])
    } finally {
      await second.close()
    }
  })

  it('refuses what is no message, and what is too large', async () => {
    for (const [body, status, code] of [
      ['{', 400, -32_700],
      ['[]', 400, -32_600],
      [JSON.stringify(call('a'.repeat(100_000))), 413, -32_600],
    ] as const) {
      const answer = await post(body)
      expect([answer.status, faultOf(answer).code]).to.deep.equal([status, code])
    }
    const form = await post('a=b', { headers: { 'content-type': 'text/plain' } })
    expect(form.status).to.be.within(400, 415)
    expect((await served.ask('/mcp', { method: 'PUT', body: '{}' })).status).to.equal(404)
  })

  it('counts each message of a batch as a request', async () => {
    const few = await Served.start({ limits: { requests_per_minute: 4 } })
    try {
      const batch = Array.from({ length: 5 }, (_, id) => rpc('ping', {}, id))
      const answer = await few.ask('/mcp', { body: batch, headers: HEADERS })
      expect(answer.status).to.equal(429)
    } finally {
      await few.close()
    }
  })
})
