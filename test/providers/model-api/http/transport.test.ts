import { EventEmitter, once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import {
  type AddressInfo,
  createServer as createTcpServer,
  type Server as TcpServer,
} from 'node:net'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { expect } from 'chai'
import { bodyOf, textOf } from '../../../../providers/model-api/body/response.ts'
import { nodeFetch } from '../../../../providers/model-api/http/transport.ts'
import openai from '../../../../providers/openai/index.ts'
import { createHost, type HostError } from '../../../../src/core/index.ts'

const fetch = nodeFetch()

/** A connection is free for the next request a moment behind the end of an answer. */
const turnOfLoop = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

interface Loopback {
  readonly url: string
  /** Connections that were made. */
  readonly connections: () => number
}

/** Where every copy of undici in a process finds its dispatcher. It is there once Node's `fetch` was loaded. */
const DISPATCHER = Symbol.for('undici.globalDispatcher.1')
const LOST = { fetch: 'other side closed', http: 'socket hang up' }

for (const client of ['fetch', 'http'] as const) {
  describe(`the way of the SDKs over Node’s client of ${client}`, () => testsOf(client))
}

function testsOf(client: keyof typeof LOST): void {
  const servers: (Server | TcpServer)[] = []

  async function listening(server: Server | TcpServer): Promise<Loopback> {
    let connections = 0
    server.on('connection', (socket) => {
      connections++
      socket.unref()
    })
    servers.push(server.listen(0, '127.0.0.1'))
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    return { url: `http://127.0.0.1:${port}/v1`, connections: () => connections }
  }
  const serving = (listener: RequestListener) => listening(createServer(listener))

  let dispatcher: unknown
  before(() => {
    void globalThis.Headers
    dispatcher = Reflect.get(globalThis, DISPATCHER)
    if (client === 'http') Reflect.set(globalThis, DISPATCHER, undefined)
  })
  after(() => void Reflect.set(globalThis, DISPATCHER, dispatcher))

  afterEach(() => {
    for (const server of servers.splice(0)) {
      if ('closeAllConnections' in server) server.closeAllConnections()
      server.close()
    }
  })

  async function failureOf(act: Promise<unknown>): Promise<HostError> {
    const failure: unknown = await act.then(
      () => undefined,
      (reason: unknown) => reason,
    )
    expect(failure).to.be.instanceOf(Error)
    return failure as HostError
  }

  const CODINGS = [
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
    ['gzip, BR', (text: Buffer) => brotliCompressSync(gzipSync(text))],
  ] as const

  for (const [coding, encode] of CODINGS) {
    it(`decodes a body of the coding ${coding}, read as text and as a response`, async () => {
      const { url } = await serving((_request, response) => {
        response.writeHead(400, { 'content-encoding': coding }).end(encode(Buffer.from('Grüße')))
      })
      expect(await textOf(await fetch(url))).to.equal('Grüße')
      const response = await fetch(url)
      expect(response.status).to.equal(400)
      expect(await response.text()).to.equal('Grüße')
    })
  }

  it('fails a body whose coding is broken, or cut off with its connection', async () => {
    const whole = gzipSync(Buffer.from('x'.repeat(1000)))
    const { url } = await serving((request, response) => {
      const status = request.url?.endsWith('failed') ? 500 : 200
      response.writeHead(status, { 'content-encoding': 'gzip' })
      if (request.url?.includes('broken')) response.end('no gzip')
      else response.write(whole.subarray(0, 20), () => response.destroy())
    })
    for (const path of ['/broken', '/lost']) {
      await failureOf(textOf(await fetch(url + path)))
      await failureOf(fetch(`${url}${path}/failed`).then((response) => response.text()))
    }
  })

  it('keeps a connection for the next request once an answer is whole, though not read to its end', async () => {
    const { url, connections } = await serving((_request, response) => {
      response.end('data: [DONE]\n\n')
    })
    for (let count = 0; count < 3; count++) {
      const body = bodyOf(await fetch(url))
      await body.read()
      body.close()
      await turnOfLoop()
    }
    expect(connections()).to.equal(1)
  })

  it('keeps a connection whose server ends its answer a moment after the last event', async () => {
    const chunk = { choices: [{ delta: { content: 'Hi' }, finish_reason: 'stop' }] }
    const { url, connections } = await serving((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(`data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`)
      setTimeout(() => response.end(), 5)
    })
    await using host = await createHost({ plugins: [openai] })
    const settings = { openai: { api_key: 'sk-test-0123456789', base_url: url, api: 'chat' } }
    for (let count = 0; count < 3; count++) {
      await host.stream({ provider: 'openai', model: 'm', settings }, 'Hello').result
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    expect(connections()).to.equal(1)
  })

  it('closes the connection of an answer that it leaves', async () => {
    const left = new EventEmitter()
    const { url } = await serving((_request, response) => {
      response.once('close', () => left.emit('left')).write('data: 1\n\n')
    })
    const closed = once(left, 'left')
    bodyOf(await fetch(url)).close()
    await closed
  })

  it('closes the connection of a coded answer that it leaves in a read', async () => {
    const left = new EventEmitter()
    const { url } = await serving((_request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).once('close', () => left.emit('left'))
      response.write(gzipSync(Buffer.from('x'.repeat(1000))).subarray(0, 12))
    })
    const closed = once(left, 'left')
    const body = bodyOf(await fetch(url))
    const read = failureOf(body.read())
    await turnOfLoop()
    body.close()
    await Promise.all([read, closed])
  })

  it('closes the connection of a failed answer that is left, as SDKs leave one that they ask again for', async () => {
    const left = new EventEmitter()
    const { url } = await serving((_request, response) => {
      response.writeHead(503).once('close', () => left.emit('left'))
      response.write('{')
    })
    const closed = once(left, 'left')
    await (await fetch(url)).body?.cancel()
    await closed
  })

  it('reads an answer without a body, and does not wait for one that was let go of', async () => {
    const { url } = await serving((request, response) => {
      if (request.url?.endsWith('empty')) response.writeHead(204).end()
      else response.write('{')
    })
    expect(await textOf(await fetch(`${url}/empty`))).to.equal('')
    const left = await fetch(url)
    bodyOf(left).close()
    await failureOf(textOf(left))
  })

  it('asks again where the server has closed the connection that was kept', async () => {
    let asked = 0
    const { url, connections } = await serving((request, response) => {
      if (asked++ === 1) request.socket.destroy()
      else response.end(String(asked))
    })
    const post = async () => textOf(await fetch(url, { method: 'POST', body: 'Hello' }))
    expect(await post()).to.equal('1')
    await turnOfLoop()
    expect(await post()).to.equal('3')
    expect(connections()).to.equal(2)
  })

  it('does not ask again where a connection of its own is lost', async () => {
    let asked = 0
    const { url } = await serving((request) => {
      asked++
      request.socket.destroy()
    })
    expect((await failureOf(fetch(url))).message).to.equal(LOST[client])
    expect(asked).to.equal(1)
  })

  it('does not ask again where a kept connection is lost in the middle of an answer', async () => {
    let asked = 0
    const { url, connections } = await serving((_request, response) => {
      if (asked++ === 0) response.end('1')
      else response.write('begun', () => response.destroy())
    })
    const post = () => fetch(url, { method: 'POST', body: 'Hello' })
    expect(await textOf(await post())).to.equal('1')
    await turnOfLoop()
    const body = bodyOf(await post())
    expect(String(Buffer.from((await body.read()).value as Uint8Array))).to.equal('begun')
    await failureOf(body.read())
    await turnOfLoop()
    expect([asked, connections()]).to.deep.equal([2, 1])
  })

  it('follows a redirect on the same server with the same request', async () => {
    const { url } = await serving((request, response) => {
      const { method, headers } = request
      if (request.url === '/v1') response.writeHead(307, { location: '/v1/' }).end()
      else request.on('data', (body) => response.end(`${method} ${headers.authorization} ${body}`))
    })
    const headers = { authorization: 'Bearer key' }
    const response = await fetch(url, { method: 'POST', headers, body: 'Hello' })
    expect(await textOf(response)).to.equal('POST Bearer key Hello')
  })

  it('ends a circle of redirects', async () => {
    const { url } = await serving((_request, response) => {
      response.writeHead(308, { location: '/v1' }).end()
    })
    expect((await failureOf(fetch(url))).message).to.match(/redirected more than 5 times/)
  })

  it('gives no key to another server, and says where it was sent', async () => {
    const other = await serving((_request, response) => response.end('{}'))
    const { url } = await serving((_request, response) => {
      response.writeHead(307, { location: other.url }).end()
    })
    await using host = await createHost({ plugins: [openai] })
    const settings = { openai: { api_key: 'sk-test-0123456789', base_url: url, max_retries: 0 } }
    const error = await failureOf(host.send({ provider: 'openai', model: 'm', settings }, 'Hello'))
    expect(error).to.include({ code: 'INVALID_REQUEST', status: 307, retryable: false })
    expect(error.message).to.include(`redirects to "${other.url}"`)
    expect(error.message).to.include('Check settings.openai.base_url')
    expect(other.connections()).to.equal(0)
  })

  it('fails where the server ends the connection, or goes on in another protocol', async () => {
    for (const reply of [
      'HTTP/1.1 101 Switching\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n',
      '',
    ]) {
      const server = createTcpServer((socket) => {
        socket.on('error', () => undefined).once('data', () => socket.end(reply))
      })
      const { url } = await listening(server)
      await failureOf(fetch(url, { method: 'POST', body: '{}' }))
    }
  })

  it('refuses a status and headers that no response has, and closes their connections', async () => {
    const replies = [
      'HTTP/1.1 999 Odd\r\ncontent-length: 9\r\n\r\n',
      `HTTP/1.1 200 OK\r\nx: ${'y'.repeat(100_000)}\r\n\r\n`,
    ]
    for (const reply of replies) {
      const left = new EventEmitter()
      const server = createTcpServer((socket) => {
        socket.on('error', () => undefined).once('data', () => socket.write(reply))
        socket.once('close', () => left.emit('left'))
      })
      const { url } = await listening(server)
      const closed = once(left, 'left')
      await failureOf(fetch(url))
      await closed
    }
  })

  it('takes a cancelling behind the whole of an answer', async () => {
    const { url, connections } = await serving((_request, response) => response.end('data: 1\n\n'))
    for (let count = 0; count < 3; count++) {
      const controller = new AbortController()
      const body = bodyOf(await fetch(url, { signal: controller.signal }))
      await body.read()
      body.close()
      controller.abort()
      await turnOfLoop()
    }
    expect(connections()).to.equal(1)
  })

  it('is cancelled before there are headers and behind them, with its signal', async () => {
    const { url } = await serving((request, response) => {
      if (request.url?.endsWith('begun')) response.write('begun')
    })
    for (const path of ['/silent', '/begun']) {
      const signal = AbortSignal.timeout(50)
      const act = fetch(url + path, { signal }).then((response) => textOf(response))
      await failureOf(act)
    }
  })
}
