import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { connect, createServer as createHttp2Server } from 'node:http2'
import type { AddressInfo } from 'node:net'
import { text as textOf } from 'node:stream/consumers'
import { expect } from 'chai'
import scripted from '../../providers/scripted/index.ts'
import { run } from '../../src/agent/index.ts'
import { createHost, type Host } from '../../src/core/index.ts'
import { type NodeHandler, toNodeHandler, toResponse } from '../../src/server/index.ts'

describe('a handler for the HTTP server of Node', () => {
  let host: Host
  let http: Server
  before(async () => {
    const settings = { scripted: { delay_ms: 0 } }
    host = await createHost({ plugins: [scripted], config: { provider: 'scripted', settings } })
  })
  after(() => host.close())
  afterEach(() => {
    http?.closeAllConnections()
    http?.close()
  })

  async function serve(handler: NodeHandler): Promise<string> {
    http = createServer(handler).listen(0, '127.0.0.1')
    await once(http, 'listening')
    return `http://127.0.0.1:${(http.address() as AddressInfo).port}/`
  }

  it('sends each cookie of a response that is streamed', async () => {
    const answer = async () => {
      const response = await toResponse(run(host, { messages: 'hi' }), {
        protocol: 'ui-message-stream',
      })
      response.headers.append('set-cookie', 'session=1; HttpOnly')
      response.headers.append('set-cookie', 'csrf=2')
      return response
    }
    const response = await fetch(await serve(toNodeHandler({ fetch: answer })))
    expect(await response.text()).to.include('[DONE]')
    expect(response.headers.getSetCookie()).to.deep.equal(['session=1; HttpOnly', 'csrf=2'])
  })

  it('is made only of what answers a request', () => {
    const answer = async () => new Response('x')
    for (const [given, advice] of [
      [answer, 'toNodeHandler({ fetch })'],
      [Promise.resolve({ fetch: answer }), 'Await'],
      [undefined, 'toNodeHandler({ fetch })'],
      [{ fetch: 'x' }, 'toNodeHandler({ fetch })'],
    ] as const) {
      expect(() => toNodeHandler(given as never))
        .to.throw(advice)
        .with.property('code', 'OPTION_INVALID')
    }
  })

  it('refuses a misspelled or wrong "basePath", and takes applications that have a method of this name', async () => {
    const answer = async () => new Response('x')
    for (const [given, reason] of [
      [{ fetch: answer, basepath: '/ai' }, 'has no option "basepath". Did you mean "basePath"?'],
      [{ fetch: answer, basePath: 1 }, '"basePath" of toNodeHandler must be a text'],
    ] as const) {
      expect(() => toNodeHandler(given as never))
        .to.throw(reason)
        .with.property('code', 'OPTION_INVALID')
    }
    class Application {
      _basePath = '/'
      fetch = answer
      basePath(): this {
        return this
      }
    }
    const handler = toNodeHandler(new Application() as never)
    const url = await serve((request, response) =>
      handler(request, response, () => response.end('next')),
    )
    expect(await (await fetch(url)).text()).to.equal('x')
  })

  describe('of a function that fails', () => {
    const FAULTS: readonly (readonly [string, () => unknown])[] = [
      [
        'throws',
        () => {
          throw new Error('secret /etc/x')
        },
      ],
      ['rejects', () => Promise.reject(new TypeError('secret /etc/x'))],
      ['returns nothing', () => Promise.resolve(undefined)],
      [
        'has a body that fails at once',
        async () => {
          const pull = () => Promise.reject(new Error('secret /etc/x'))
          return new Response(new ReadableStream({ pull }))
        },
      ],
    ]
    const told: Error[] = []
    const warn = (warning: Error) => void told.push(warning)
    beforeEach(() => {
      told.length = 0
      process.on('warning', warn)
    })
    afterEach(() => process.off('warning', warn))

    for (const [fault, answer] of FAULTS) {
      it(`answers 500 without the text of the error, and warns: ${fault}`, async () => {
        const url = await serve(toNodeHandler({ fetch: answer as never }))
        const response = await fetch(url)
        expect(response.status).to.equal(500)
        expect(response.headers.get('content-type')).to.include('text/plain')
        expect(await response.text()).to.equal('The server failed to process the request.')
        expect(told.map((warning) => (warning as { code?: string }).code)).to.deep.equal([
          'REQUEST_FAILED',
        ])
        expect(told[0]?.message).to.match(/secret|returned no Response/)
      })

      it(`hands the error on to the framework: ${fault}`, async () => {
        const handler = toNodeHandler({ fetch: answer as never })
        const handed: unknown[] = []
        const url = await serve((request, response) =>
          handler(request, response, (error) => {
            handed.push(error)
            response.writeHead(599).end('own')
          }),
        )
        const response = await fetch(url)
        expect([response.status, await response.text()]).to.deep.equal([599, 'own'])
        expect(handed.map(String).join()).to.match(/secret|returned no Response/)
        expect(told).to.deep.equal([])
      })
    }

    it('disconnects the client when the body fails later, without the text of the error', async () => {
      const pieces = ['one', 'two', 'three']
      const pull = async (controller: ReadableStreamDefaultController) => {
        const piece = pieces.shift()
        if (piece === undefined) throw new Error('secret /etc/x')
        controller.enqueue(new TextEncoder().encode(piece))
        await new Promise(setImmediate)
      }
      const body = () => new ReadableStream({ pull })
      const response = await fetch(
        await serve(toNodeHandler({ fetch: async () => new Response(body()) })),
      )
      const read = await response.text().catch((error: Error) => error.message)
      expect(response.status).to.equal(200)
      expect(read).to.equal('terminated')
    })
  })

  it('sends bodies in one piece with their length, and streams others as they come', async () => {
    const fetchOf = async ({ url }: Request) => {
      if (url.endsWith('/text')) return new Response('a text')
      if (url.endsWith('/none')) return new Response(null, { status: 204 })
      if (url.endsWith('/empty')) return new Response('')
      let count = 0
      const pull = async (controller: ReadableStreamDefaultController) => {
        await new Promise(setImmediate)
        if (count++ === 3) controller.close()
        else controller.enqueue(new TextEncoder().encode(`${count} `))
      }
      return new Response(new ReadableStream({ pull }), { headers: { 'x-own': '1' } })
    }
    const url = await serve(toNodeHandler({ fetch: fetchOf }))
    const told = await Promise.all(
      ['text', 'none', 'empty', 'stream'].map(async (path) => {
        const response = await fetch(`${url}${path}`)
        return [response.status, response.headers.get('content-length'), await response.text()]
      }),
    )
    expect(told).to.deep.equal([
      [200, '6', 'a text'],
      [204, null, ''],
      [200, '0', ''],
      [200, null, '1 2 3 '],
    ])
  })

  it('cancels a body when its client leaves', async () => {
    let cancel: () => void = () => undefined
    const cancelled = new Promise<void>((resolve) => {
      cancel = resolve
    })
    const pull = (controller: ReadableStreamDefaultController) => {
      controller.enqueue(new TextEncoder().encode('piece'))
      return new Promise<void>(() => undefined)
    }
    const answer = async () => new Response(new ReadableStream({ pull, cancel }))
    const leaving = new AbortController()
    const url = await serve(toNodeHandler({ fetch: answer }))
    const response = await fetch(url, { signal: leaving.signal })
    await response.body?.getReader().read()
    leaving.abort()
    await cancelled
  })

  it('hands paths outside of "basePath" on to the framework, and its own address stays', async () => {
    const answer = async ({ url }: Request) => new Response(new URL(url).pathname)
    const handler = toNodeHandler({ fetch: answer, basePath: '/ai' })
    const url = await serve((request, response) => {
      // As Express does at a mount path.
      const { url: originalUrl = '' } = request
      if (/^\/ai(?:\/|$)/.test(originalUrl)) {
        Object.assign(request, { baseUrl: '/ai', originalUrl, url: originalUrl.slice(3) || '/' })
      }
      handler(request, response, (error) => response.end(`${error} ${request.url}`))
    })
    const said = async (path: string) => (await fetch(new URL(path, url))).text()
    expect(await said('/ai/v1/models?a=1')).to.equal('/ai/v1/models')
    expect(await said('/ai')).to.equal('/ai')
    expect(await said('/air')).to.equal('undefined /air')
    expect(await said('/other?x=/ai/')).to.equal('undefined /other?x=/ai/')
  })

  it('answers over HTTP/2 too, with streams and bodies of requests', async () => {
    const answer = async (request: Request) => {
      const text = await request.text()
      const stream = run(host, { messages: text })
      return toResponse(stream, { protocol: 'ui-message-stream' })
    }
    const handler = toNodeHandler({ fetch: answer })
    const http2 = createHttp2Server(handler).listen(0, '127.0.0.1')
    await once(http2, 'listening')
    const session = connect(`http://127.0.0.1:${(http2.address() as AddressInfo).port}`)
    const stream = session.request({ ':method': 'POST', ':path': '/api/chat' })
    stream.end('hello')
    const [headers] = await once(stream, 'response')
    expect(headers).to.include({ ':status': 200 })
    expect(await textOf(stream))
      .to.include('"type":"finish"')
      .and.include('[DONE]')
    session.close()
    http2.close()
    await once(http2, 'close')
  })
})
