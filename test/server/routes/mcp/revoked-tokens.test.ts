import { expect } from 'chai'
import { type Bearer, Secured } from '../../access/secured.ts'
import type { Served } from '../served.ts'

const HEADERS = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
}
const CLIENT = { name: 'tests', version: '1' }
const SLOW = { name: 'slow', arguments: { message: 'count' } }
/** What only a call that was not stopped has. */
const WHOLE = 'number 60'
const TOLD = 'The token was revoked.'

const rpc = (method: string, params: object) => ({ jsonrpc: '2.0', id: 1, method, params })

describe('a revoked token, to MCP', function () {
  this.timeout(20_000)
  let secured: Secured
  let served: Served
  beforeEach(async () => {
    secured = new Secured()
    served = await secured.serve()
  })
  afterEach(() => secured.close())

  /** Begins a session of a revision that has some. */
  async function begin(headers: Bearer): Promise<Bearer> {
    const protocolVersion = '2025-11-25'
    const body = rpc('initialize', { protocolVersion, capabilities: {}, clientInfo: CLIENT })
    const answer = await served.ask('/mcp', { body, headers: { ...HEADERS, ...headers } })
    expect(answer.status, answer.text).to.equal(200)
    const session = answer.headers.get('mcp-session-id') ?? expect.fail('no session')
    return { ...HEADERS, ...headers, 'mcp-session-id': session }
  }

  it('cuts the streams of its sessions, and stops their calls', async () => {
    const revoked = await secured.issue({ id: 'eva' })
    const kept = await secured.issue({ id: 'eva' })
    const session = await begin(revoked.headers)
    const other = await begin(kept.headers)
    const body = rpc('tools/call', SLOW)
    const streams = await Promise.all([
      served.fetch('/mcp', { headers: session }),
      served.fetch('/mcp', { headers: session, body }),
    ])
    const whole = await served.fetch('/mcp', { headers: other, body })
    expect([...streams, whole].map(({ status }) => status)).to.deep.equal([200, 200, 200])
    const at = performance.now()
    await secured.storage.tokens.revoke(revoked.id, Date.now())
    const texts = await Promise.all(streams.map((one) => one.text()))
    for (const text of texts) expect(text).to.not.include(WHOLE)
    expect(texts[1]).to.include(TOLD).and.include('"isError":true')
    expect(performance.now() - at).to.be.below(5000)
    expect(await whole.text()).to.include(WHOLE)
    expect((await served.ask('/mcp', { headers: session, body })).status).to.equal(401)
    expect(served.activeRuns).to.equal(0)
  })

  it('cuts the stream of a call without a session, and stops it', async () => {
    const { id, headers } = await secured.issue({ id: 'eva' })
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': CLIENT,
      'io.modelcontextprotocol/clientCapabilities': {},
      progressToken: 'p',
    }
    const modern = {
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': SLOW.name,
    }
    const body = rpc('tools/call', { ...SLOW, _meta })
    const stream = await served.fetch('/mcp', {
      headers: { ...HEADERS, ...headers, ...modern },
      body,
    })
    expect(stream.headers.get('content-type')).to.include('text/event-stream')
    await secured.storage.tokens.revoke(id, Date.now())
    const text = await stream.text()
    expect(text).to.include('notifications/progress').and.not.include(WHOLE)
    expect(text).to.include(TOLD)
    while (served.activeRuns > 0) await new Promise(setImmediate)
  })
})
