import { once } from 'node:events'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect } from 'chai'
import type { Host } from '../../../src/core/host/index.ts'
import { callOf, callOn, inventoryOf, mcpHost } from './mcp-host.ts'
import { SessionServer } from './session-server.ts'

describe('a session with an MCP server over HTTP', function () {
  this.timeout(20_000)
  let server: SessionServer
  let host: Host
  beforeEach(async () => {
    server = new SessionServer()
    const web = { url: await server.url() }
    host = await mcpHost({ web }, { max_bytes: 100_000, resources: true })
  })
  afterEach(async () => {
    await host.close()
    await server[Symbol.asyncDispose]()
  })

  it('is of the revision that the config names', async () => {
    await callOn(host, 'web__count')
    expect(server.asked[0]).to.equal('server/discover')
    server.asked.splice(0)
    const web = { url: await server.url(), protocol: '2025-11-25' }
    await using other = await mcpHost({ web })
    expect(await callOn(other, 'web__count')).to.include({ output: 'count 2' })
    expect(server.asked[0]).to.equal('initialize')
  })

  const FORGOTTEN: readonly SessionServer['unknown'][] = [
    [404, 'Session not found'],
    [404, 'Gone'],
    [400, 'Bad Request: No valid session ID provided'],
  ]
  for (const unknown of FORGOTTEN) {
    it(`begins anew where the server has forgotten it (${unknown.join(': ')})`, async () => {
      server.unknown = unknown
      expect(await callOn(host, 'web__count')).to.include({ output: 'count 1' })
      server.forget()
      expect(await callOn(host, 'web__count')).to.include({ output: 'count 2' })
      expect(server.ran).to.deep.equal(['count', 'count'])
      expect(server.begun).to.equal(2)
    })
  }

  it('begins anew for the reading of resources too, and once for several calls', async () => {
    await callOn(host, 'web__count')
    server.forget()
    const asked = { server: 'web', uri: 'note://1' }
    const [read, count] = await Promise.all([
      callOn(host, 'mcp__read', asked),
      callOn(host, 'web__count'),
    ])
    expect([read.isError, count.isError]).to.deep.equal([undefined, undefined])
    expect(server.begun).to.equal(2)
  })

  it('does not repeat a call that the server may have taken', async () => {
    await callOn(host, 'web__count')
    server.unknown = [400, 'The session does not have this file', 7]
    server.forget()
    const { isError, output } = await callOn(host, 'web__count')
    expect(isError).to.equal(true)
    expect(output).to.include('does not have this file')
    expect(server.begun).to.equal(1)
  })

  it('ends when its host closes', async () => {
    await callOn(host, 'web__count')
    await host.close()
    expect(server.asked.at(-1)).to.equal('DELETE')
  })

  it('is told that a call is cancelled where its host closes at once', async () => {
    const hanging = server.hanging()
    const stop = new AbortController()
    using opened = await host.open()
    const call = callOf(opened, 'web__hangs', {}, { signal: stop.signal })
    await hanging
    stop.abort()
    await host.close()
    expect((await call).isError).to.equal(true)
    expect(server.asked.slice(-2)).to.deep.equal(['notifications/cancelled', 'DELETE'])
  })

  it('does not hold its host up where the server does not answer to its end', async () => {
    server.isDeaf = true
    await callOn(host, 'web__count')
    await host.close()
    expect(server.asked.at(-1)).to.equal('DELETE')
  })

  const ANSWERED: { readonly [tool: string]: readonly [error: object, text: RegExp] } = {
    login: [{ class: 'execution_failed', retryable: false }, /HTTP status 401.*mcp login web/],
    limit: [{ class: 'rate_limited', retryable: true }, /HTTP status 429 \(.*why not\)/],
    busy: [{ class: 'rate_limited', retryable: true }, /HTTP status 503 \(.*why not\)/],
    fails: [{ class: 'execution_failed', retryable: false }, /HTTP status 500 \(.*why not\)/],
  }
  for (const [name, [error, text]] of Object.entries(ANSWERED)) {
    it(`names the server and the status where a call gets no result (${name})`, async () => {
      const outcome = await callOn(host, `web__${name}`)
      expect(outcome.output).to.match(text)
      expect(outcome.output).to.match(/^The MCP server "web" answered/)
      expect(outcome.error).to.include(error)
    })
  }

  it('names the server where it cannot be reached any more', async () => {
    await callOn(host, 'web__count')
    await server[Symbol.asyncDispose]()
    let outcome = await callOn(host, 'web__count')
    // Of the connections that were there, nobody knows whether the server had read the calls.
    for (let at = 0; at < 5 && /ended while/.test(String(outcome.output)); at++)
      outcome = await callOn(host, 'web__count')
    const { output, error } = outcome
    expect(output).to.match(/^The MCP server "web" is not available: .*ECONNREFUSED/)
    expect(error).to.include({ class: 'dependency_unavailable', retryable: true })
    server = new SessionServer()
    await server.url()
  })

  for (const how of ['breaks', 'ends', 'dies']) {
    it(`ends a call at once whose response ${how} before the answer`, async () => {
      const { error, output } = await callOn(host, `web__${how}`)
      expect(output).to.match(/ended while the call ran, which may have had effects/)
      expect(error).to.deep.equal({ class: 'dependency_unavailable', retryable: false })
      expect(await callOn(host, 'web__count')).to.include({ output: 'count 2' })
    })
  }

  for (const how of ['large', 'body']) {
    it(`names the limit where an answer is too large, and for no later loss (${how})`, async () => {
      const { error, output } = await callOn(host, `web__${how}`)
      expect(output).to.include('100000 bytes').and.include('settings.mcp.max_bytes')
      expect(error?.class).to.equal('result_too_large')
      expect((await callOn(host, 'web__breaks')).error?.class).to.equal('dependency_unavailable')
      expect(await callOn(host, 'web__count')).to.include({ output: 'count 3' })
    })
  }
})

describe('an MCP server of 2024 whose stream breaks', function () {
  this.timeout(20_000)

  let server: Server | undefined
  let host: Host | undefined
  afterEach(async () => {
    await host?.close()
    server?.closeAllConnections()
    server?.close()
    if (server) await once(server, 'close')
  })

  /** A host with a server whose first call breaks. */
  async function hostOf(breakStream: (stream: ServerResponse) => void): Promise<Host> {
    let stream: ServerResponse | undefined
    let calls = 0
    const tools = [{ name: 'breaks', inputSchema: { type: 'object' } }]
    const serverInfo = { name: 'old', version: '1' }
    const answerTo = (method: string): object | undefined => {
      if (method === 'server/discover') return { error: { code: -32601, message: 'Not found' } }
      if (method === 'initialize')
        return {
          result: { protocolVersion: '2024-11-05', capabilities: { tools: {} }, serverInfo },
        }
      if (method === 'tools/list') return { result: { tools } }
      return ++calls > 1 ? { result: { content: [{ type: 'text', text: 'again' }] } } : undefined
    }
    server = createServer((request, response) => {
      if (request.method === 'GET') {
        stream = response.writeHead(200, { 'content-type': 'text/event-stream' })
        return void stream.write('event: endpoint\ndata: /messages\n\n')
      }
      void text(request).then((body) => {
        const { id, method } = JSON.parse(body) as { id?: number; method: string }
        response.writeHead(202).end()
        if (id === undefined || !stream) return
        const answer = answerTo(method)
        if (answer) stream.write(`data: ${JSON.stringify({ jsonrpc: '2.0', id, ...answer })}\n\n`)
        else breakStream(stream)
      })
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/sse`
    host = await mcpHost({ old: { url, type: 'sse' } }, { max_bytes: 100_000 })
    return host
  }

  it('ends the call that runs at once, and is there for the next one', async () => {
    const old = await hostOf((stream) => void stream.destroy())
    const { output } = await callOn(old, 'old__breaks')
    expect(output).to.match(/ended while the call ran, which may have had effects/)
    expect(await callOn(old, 'old__breaks')).to.include({ output: 'again' })
  })

  it('names the limit where the stream breaks for it', async () => {
    const old = await hostOf((stream) => void stream.write(`data: ${'x'.repeat(200_000)}\n\n`))
    const { output, error } = await callOn(old, 'old__breaks')
    expect(output).to.include('100000 bytes').and.include('settings.mcp.max_bytes')
    expect(error?.class).to.equal('result_too_large')
    expect(await callOn(old, 'old__breaks')).to.include({ output: 'again' })
  })

  const REASONS = {
    'it answered with the HTTP status 404$': (_: unknown, response: ServerResponse) =>
      response.writeHead(404).end('<html>not here</html>'),
    'it asks for a login: .*mcp login old"': (_: unknown, response: ServerResponse) =>
      response.writeHead(401).end(),
  }
  for (const [reason, answer] of Object.entries(REASONS))
    it(`is not there: the reason is read as one (${reason})`, async () => {
      server = createServer(answer).listen(0, '127.0.0.1')
      await once(server, 'listening')
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/sse`
      host = await mcpHost({ old: { url, type: 'sse' } })
      const { reason: away } = (await inventoryOf(host))['old__unavailable'] ?? {}
      expect(away).to.match(new RegExp(`^The MCP server "old" is not available: ${reason}`))
    })

  it('is not reached: the reason says so once', async () => {
    host = await mcpHost({ old: { url: 'http://127.0.0.1:1/sse', type: 'sse' } })
    const { reason } = (await inventoryOf(host))['old__unavailable'] ?? {}
    expect(reason).to.equal(
      'The MCP server "old" is not available: "127.0.0.1:1" could not be reached (ECONNREFUSED).',
    )
  })
})
