import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'chai'
import { guardedFetch } from '../../../tools/mcp/connection/guarded-fetch.ts'
import { callOf, callOn, inventoryOf, mcpHost, sdkServer } from './mcp-host.ts'

describe('an MCP server over HTTP', function () {
  this.timeout(20_000)
  let child: ChildProcess
  let port: string
  before(async () => {
    const { command, args } = sdkServer('--port', '0')
    child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] })
    if (!child.stdout) throw new Error('no output')
    const [line] = (await once(child.stdout, 'data')) as [Buffer]
    port = line.toString().trim()
  })
  after(async () => {
    child.kill()
    await once(child, 'exit')
  })

  const hostOf = (more: object = {}) =>
    mcpHost({ web: { url: `http://127.0.0.1:${port}/mcp`, ...more } })

  it('offers and runs its tools', async () => {
    await using host = await hostOf()
    expect(await callOn(host, 'web__sum', { a: 1, b: 2 })).to.deep.include({ output: { sum: 3 } })
  })

  it('tells its progress, and is cancelled with the call', async () => {
    await using host = await hostOf()
    using opened = await host.open()
    const cancel = new AbortController()
    const reports: unknown[] = []
    const onProgress = (report: unknown) => {
      reports.push(report)
      cancel.abort()
    }
    const { error } = await callOf(opened, 'web__waits', {}, { signal: cancel.signal, onProgress })
    expect(reports).to.deep.equal([{ progress: 1 }])
    expect(error?.class).to.equal('canceled')
  })

  it('may be named by a name of this machine', async () => {
    await using host = await mcpHost({ web: { url: `http://localhost:${port}/mcp` } })
    expect(await callOn(host, 'web__echo', { text: 'hi' })).to.include({ output: 'hi' })
  })

  it('is not there: its tools are unavailable, with the reason', async () => {
    await using host = await mcpHost({ gone: { url: 'http://127.0.0.1:1/mcp?key=abc' } })
    const { reason } = (await inventoryOf(host))['gone__unavailable'] ?? {}
    expect(reason).to.match(/"127.0.0.1:1" could not be reached \(ECONNREFUSED\)/)
    expect(reason).to.not.include('abc')
  })
})

describe('requests to an MCP server', () => {
  let server: Server
  let url: string
  let seen: string[]
  let answer: RequestListener
  beforeEach(async () => {
    seen = []
    server = createServer((request, response) => {
      seen.push(`${request.method} ${request.url} ${request.headers.authorization}`)
      answer(request, response)
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`
  })
  afterEach(async () => {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  })

  const fetchOf = (more: object = {}) =>
    guardedFetch({ url, allowPrivate: false, maxBytes: 1_000, connectMs: 5_000, ...more })
  const failureOf = async (promise: Promise<unknown>) => {
    try {
      return String(await promise)
    } catch (error) {
      return String(error)
    }
  }

  it('lead to a private address only where the config names it', async () => {
    answer = (_request, response) => response.end('{}')
    const { fetch, close } = fetchOf()
    expect((await fetch(url)).status).to.equal(200)
    for (const other of [
      'http://10.0.0.1/',
      'http://169.254.169.254/latest/meta-data',
      'http://[fd00::1]/',
      'http://server.internal/',
      'file:///etc/passwd',
    ]) {
      expect(await failureOf(fetch(other)), other).to.match(/public internet|cannot be fetched/)
    }
    close()
    expect(seen).to.have.length(1)
  })

  it('lead from a server of this machine to others of this machine, and from no other server', async () => {
    answer = (_request, response) => response.end('{}')
    const own = fetchOf({ url: 'http://localhost:1/mcp' })
    expect((await own.fetch(url)).status).to.equal(200)
    own.close()
    for (const other of ['https://example.org/mcp', 'http://10.0.0.1/mcp']) {
      const text = await failureOf(fetchOf({ url: other }).fetch(url))
      expect(text, other).to.match(/public internet/)
    }
    expect(seen).to.have.length(1)
  })

  it('lead to a private network by a host name only with "allow_private"', async () => {
    answer = (_request, response) => response.end('{}')
    const named = 'http://server.internal/mcp'
    const text = await failureOf(fetchOf({ url: named }).fetch(named))
    expect(text).to.match(/public internet.*"allow_private"/)
    const allowed = await failureOf(fetchOf({ url: named, allowPrivate: true }).fetch(named))
    expect(allowed).to.match(/has no IP address|could not be reached/)
  })

  it('do not follow redirects', async () => {
    answer = (_request, response) => response.writeHead(302, { location: '/other' }).end()
    const { fetch, close } = fetchOf()
    const response = await fetch(url, { headers: { authorization: 'Bearer t' } })
    expect(response.status).to.equal(302)
    close()
    expect(seen).to.deep.equal(['GET /mcp Bearer t'])
  })

  it('carry no credentials to another origin, whatever the server redirects to', async () => {
    const strangers: string[] = []
    const stranger = createServer((request, response) => {
      strangers.push(String(request.headers.authorization))
      response.end('{}')
    }).listen(0, '127.0.0.1')
    await once(stranger, 'listening')
    const location = `http://127.0.0.1:${(stranger.address() as AddressInfo).port}/`
    answer = (_request, response) => response.writeHead(307, { location }).end()
    await using host = await mcpHost({ web: { url, headers: { authorization: 'Bearer t' } } })
    const { reason } = (await inventoryOf(host))['web__unavailable'] ?? {}
    expect(reason).to.be.a('string')
    expect(seen.length).to.be.above(0)
    expect(strangers).to.deep.equal([])
    stranger.close()
    await once(stranger, 'close')
  })

  it('read at most so many bytes, and so many of each event', async () => {
    answer = (_request, response) => response.end('x'.repeat(1_001))
    const { fetch, close } = fetchOf()
    expect(await failureOf((await fetch(url)).text())).to.match(/more than 1000 bytes at once/)
    answer = (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      for (let count = 0; count < 100; count++) response.write(`data: ${'x'.repeat(100)}\n\n`)
      response.end()
    }
    expect(await (await fetch(url)).text()).to.have.length(100 * 108)
    answer = (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.end(`data: ${'x'.repeat(1_001)}\n`)
    }
    expect(await failureOf((await fetch(url)).text())).to.match(/more than 1000 bytes at once/)
    close()
  })

  it('end when they are cancelled', async () => {
    answer = () => undefined
    const cancel = new AbortController()
    const { fetch, close } = fetchOf()
    const pending = failureOf(fetch(url, { signal: cancel.signal }))
    await once(server, 'request')
    cancel.abort()
    expect(await pending).to.match(/Abort/)
    close()
  })

  it('are answered with a login that is asked for', async () => {
    answer = (_request, response) => response.writeHead(401).end()
    await using host = await mcpHost({ web: { url } })
    const { reason } = (await inventoryOf(host))['web__unavailable'] ?? {}
    expect(reason).to.match(/asks for a login/)
  })
})
