import { gzipSync } from 'node:zlib'
import { expect } from 'chai'
import { type GuardedFetch, guardedFetch } from '../../src/a2a/guarded-fetch.ts'
import { HostError } from '../../src/plugin/errors.ts'
import type { Resolve } from '../../src/request-guard/index.ts'
import { type Answer, RemoteServer } from './remote-server.ts'

async function failureOf(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => expect.fail('nothing was thrown'),
    (thrown: unknown) => thrown,
  )
  if (!HostError.is(error)) return expect.fail(String(error))
  expect(error.code).to.equal('REMOTE_AGENT_FAILED')
  return error.message
}

describe('the guard of remote agents', () => {
  const open: RemoteServer[] = []
  afterEach(async () => {
    for (const server of open.splice(0)) await server.close()
  })

  async function served(answer: Answer) {
    const server = await RemoteServer.start(answer)
    open.push(server)
    const base = new URL(server.url)
    const fetch = guardedFetch({ base, allowPrivate: true, token: 'secret-token' })
    return { server, base, fetch }
  }

  it('sends the token and the body, and reads the answer as it comes', async () => {
    const { fetch, base, server } = await served((request, response, body) => {
      response.setHeader('content-type', 'text/plain')
      response.end(`${request.method} ${request.headers.authorization} ${body}`)
    })
    const answer = await fetch(base, { method: 'POST', body: 'hello', headers: { a: 'b' } })
    expect([answer.status, answer.headers.get('content-type')]).to.deep.equal([200, 'text/plain'])
    expect(await answer.text()).to.equal('POST Bearer secret-token hello')
    expect(server.requests[0]?.headers).to.include({ a: 'b', 'accept-encoding': 'identity' })
  })

  it('asks no other origin than that of the endpoint', async () => {
    const { fetch, server } = await served((_request, response) => response.end())
    const message = await failureOf(fetch('http://localhost:1/'))
    expect(message).to.include('another host')
    expect(await failureOf(fetch(server.url.replace('http:', 'https:')))).to.include('another host')
    expect(server.requests).to.have.length(0)
  })

  it('follows no redirect, so that no other server gets the token', async () => {
    for (const status of [301, 302, 303, 307, 308]) {
      const { fetch, base, server } = await served((_request, response) => {
        response.writeHead(status, { location: '/elsewhere' })
        response.end()
      })
      expect(await failureOf(fetch(base)), String(status)).to.include('redirects')
      expect(server.requests).to.have.length(1)
    }
  })

  it('reads no more than a limit, and nothing compressed', async () => {
    const { fetch, base } = await served((_request, response) => {
      response.write('x'.repeat(100))
      const timer = setInterval(() => response.write('x'.repeat(100_000)), 1)
      response.on('close', () => clearInterval(timer))
    })
    const endless = fetch(base, { most: 300_000 }).then((answer) => answer.text())
    expect(await failureOf(endless)).to.include('more than 300000 bytes')
    const bomb = await served((_request, response) => {
      response.setHeader('content-encoding', 'gzip')
      response.end(gzipSync(Buffer.alloc(1 << 20)))
    })
    expect(await failureOf(bomb.fetch(bomb.base))).to.include('compressed')
  })

  it('reaches only public addresses, whatever the name says, unless others are allowed', async () => {
    const { server } = await served((_request, response) => response.end('in'))
    const { port } = new URL(server.url)
    const base = new URL(`http://agent.test:${port}`)
    let asked = 0
    const resolve: Resolve = async () => {
      asked++
      return [{ address: '127.0.0.1', family: 4 }]
    }
    const closed: GuardedFetch = guardedFetch({ base, allowPrivate: false, resolve })
    expect(await failureOf(closed(base))).to.include('not on the public internet')
    const mixed: Resolve = async () => [
      { address: '93.184.216.34', family: 4 },
      { address: '10.0.0.1', family: 4 },
    ]
    const half = guardedFetch({ base, allowPrivate: false, resolve: mixed })
    expect(await failureOf(half(base))).to.include('not on the public internet')
    const none = guardedFetch({ base, allowPrivate: true, resolve: async () => [] })
    expect(await failureOf(none(base))).to.include('not on the public internet')
    expect(server.requests).to.have.length(0)
    asked = 0
    const open = guardedFetch({ base, allowPrivate: true, resolve })
    expect(await (await open(base)).text()).to.equal('in')
    expect(asked).to.equal(1)
  })

  it('says what could not be reached', async () => {
    const { server, base, fetch } = await served((_request, response) => response.end())
    await server.close()
    open.splice(0)
    expect(await failureOf(fetch(base))).to.include('could not be reached (ECONNREFUSED)')
    const resolve: Resolve = () => Promise.reject(new Error('ENOTFOUND'))
    const lost = new URL('http://lost.test')
    const unknown = guardedFetch({ base: lost, allowPrivate: true, resolve })
    expect(await failureOf(unknown(lost))).to.include('has no IP address')
  })

  it('ends with the signal of its caller', async () => {
    const { fetch, base } = await served(() => undefined)
    const caller = new AbortController()
    const asking = fetch(base, { signal: caller.signal })
    setImmediate(() => caller.abort())
    const error = await asking.catch((thrown: unknown) => thrown)
    expect((error as Error).name).to.equal('AbortError')
  })
})
