import { once } from 'node:events'
import { request, type Server } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { text as textOf } from 'node:stream/consumers'
import { createGunzip } from 'node:zlib'
import { expect } from 'chai'
import scripted from '../../providers/scripted/index.ts'
import { run } from '../../src/agent/index.ts'
import { memoryStorage } from '../../src/agent/memory-storage/index.ts'
import { createHost, type Host } from '../../src/core/index.ts'
import {
  type BraidworkServer,
  createServer,
  LOCAL,
  type NodeHandler,
  type Protocol,
  toNodeHandler,
  toResponse,
} from '../../src/server/index.ts'
import { needsPeer } from '../helpers/peer-scripts.ts'
import { user } from './routes/served.ts'

const PAGE = new Map([['index.html', { type: 'text/html', body: new Uint8Array() }]])

type Next = (error?: unknown) => void
type FaultHandler = (error: Error, request: object, response: Answer, next: Next) => void
interface Answer {
  status(code: number): { send(text: string): void }
}

/** As far as the tests use it. */
interface Express {
  use(path: string, handler: NodeHandler): this
  use(handler: NodeHandler | FaultHandler): this
  get(path: string, handler: (request: object, response: Answer) => void): this
  listen(port: number, hostname: string): Server
}

describe('a handler for the HTTP server of Node, in Express', () => {
  let express: () => Express
  let compression: () => NodeHandler
  let host: Host
  let server: BraidworkServer
  let http: Server
  before(async function () {
    needsPeer(this, 'express')
    needsPeer(this, 'compression')
    const ofPeers = createRequire(new URL('../peers/package.json', import.meta.url))
    express = ofPeers('express')
    compression = ofPeers('compression')
    host = await createHost({ plugins: [scripted], config: { provider: 'scripted' } })
  })
  after(() => host?.close())
  afterEach(async () => {
    http?.closeAllConnections()
    http?.close()
    await server?.close()
  })

  async function served(app: Express): Promise<string> {
    http = app.listen(0, '127.0.0.1')
    await once(http, 'listening')
    return `http://127.0.0.1:${(http.address() as AddressInfo).port}`
  }

  const startServer = async () => {
    const models = { a: { config: {} } }
    const own = { host, storage: memoryStorage(), anonymous: LOCAL, page: PAGE, models }
    server = await createServer({ ...own, basePath: '/ai' })
    return toNodeHandler(server)
  }

  const statusOf = async (url: string) => {
    const response = await fetch(url, { redirect: 'manual' })
    await response.text()
    return response.status
  }

  const renamed: NodeHandler = (request, _response, next) => {
    request.url = request.url?.replace(/^\/old/, '/ai') ?? ''
    next?.()
  }
  const MOUNTS: readonly (readonly [string, (app: Express, handler: NodeHandler) => Express])[] = [
    ['at a path', (app, handler) => app.use('/ai', handler)],
    ['at the root', (app, handler) => app.use(handler)],
    ['behind a rewritten address', (app, handler) => app.use(renamed).use(handler)],
  ]
  for (const [place, mount] of MOUNTS) {
    it(`has the addresses of its "basePath": ${place}`, async () => {
      const app = mount(express(), await startServer()).get('/own', (_, response) => {
        response.status(200).send('own')
      })
      const url = await served(app)
      const card = await (await fetch(`${url}/ai/.well-known/agent-card.json`)).json()
      expect(JSON.stringify(card)).to.include(`${url}/ai/a2a/a`)
      expect(await statusOf(`${url}/ai/v1/models?limit=1`)).to.equal(200)
      expect(await statusOf(`${url}/ai`)).to.equal(302)
      expect(await statusOf(`${url}/ai/`)).to.equal(200)
      expect(await statusOf(`${url}/ai/ai/v1/models`)).to.equal(404)
      const chat = { id: 'c', messages: [user('u', 'hello')], agent: 'a' }
      const headers = { 'content-type': 'application/json' }
      const asked = { method: 'POST', headers, body: JSON.stringify(chat) }
      expect(await (await fetch(`${url}/ai/api/chat`, asked)).text()).to.include('[DONE]')
      const upload = { method: 'POST', body: 'hello', headers: { 'content-type': 'text/plain' } }
      const file = await fetch(`${url}/ai/api/conversations/c/files`, upload)
      expect(await file.text()).to.include('"/ai/api/')
      expect(await (await fetch(`${url}/own`)).text()).to.equal('own')
      expect(await statusOf(`${url}/air`)).to.equal(404)
      if (place.startsWith('behind')) {
        expect(await statusOf(`${url}/old/v1/models`)).to.equal(200)
      }
    })
  }

  it('hands errors of a function on to the handler of errors', async () => {
    const fails = async () => {
      throw new Error('it broke')
    }
    const app = express()
      .use('/ai', toNodeHandler({ fetch: fails }))
      .use(((error, _request, response, _next) => {
        response.status(599).send(error.message)
      }) as FaultHandler)
    const response = await fetch(`${await served(app)}/ai/chat`)
    expect([response.status, await response.text()]).to.deep.equal([599, 'it broke'])
  })

  describe('behind a middleware that compresses', () => {
    const script = [{ then: { text: 'A sentence of an answer. '.repeat(5000) } }]
    const LONG = { messages: 'hi', config: { settings: { scripted: { delay_ms: 0, script } } } }
    /** Serves an answer of the model, with headers that the middleware heeds. */
    const answering = (protocol: Protocol, headers: { readonly [name: string]: string } = {}) =>
      served(
        express()
          .use(compression())
          .use(
            toNodeHandler({
              fetch: async () => {
                const response = await toResponse(run(host, LONG), { protocol })
                for (const [name, value] of Object.entries(headers)) {
                  response.headers.set(name, value)
                }
                return response
              },
            }),
          ),
      )

    for (const protocol of [
      'ui-message-stream',
      'ag-ui',
      'chat-completions',
      'responses',
      'anthropic-messages',
    ] as const) {
      it(`streams events as they come, uncompressed: ${protocol}`, async () => {
        const response = await fetch(await answering(protocol))
        expect(response.headers.get('content-encoding')).to.equal(null)
        expect(response.headers.get('cache-control')).to.equal('no-cache, no-transform')
        expect(await response.text()).to.include('sentence')
      })
    }

    it('hands a stream that may be compressed on to it, only as fast as the client reads', async () => {
      const warnings: Error[] = []
      const onWarning = (warning: Error) => warnings.push(warning)
      process.on('warning', onWarning)
      const url = await answering('ui-message-stream', { 'cache-control': 'no-cache' })
      const headers = { 'accept-encoding': 'gzip' }
      const [response] = await once(request(url, { headers }).end(), 'response')
      expect(response.headers['content-encoding']).to.equal('gzip')
      const text = await textOf(response.pipe(createGunzip()))
      expect(text.match(/answer/g)).to.have.length(5000)
      expect(text).to.include('data: [DONE]')
      process.off('warning', onWarning)
      expect(warnings).to.deep.equal([])
    })
  })
})
