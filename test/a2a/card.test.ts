import { getEventListeners } from 'node:events'
import { expect } from 'chai'
import { readCard } from '../../src/a2a/card.ts'
import { guardedFetch } from '../../src/a2a/guarded-fetch.ts'
import { HostError } from '../../src/plugin/errors.ts'
import { type Answer, cardAt, RemoteServer } from './remote-server.ts'

describe('the card of a remote agent', () => {
  const open: RemoteServer[] = []
  afterEach(async () => {
    for (const server of open.splice(0)) await server.close()
  })

  async function read(
    answer: Answer | ((url: string) => string),
    timeout = 5000,
    path = '',
    signal?: AbortSignal,
  ) {
    const text = answer as (url: string) => string
    const isText = answer.length < 2
    const server = await RemoteServer.start((request, response, body) =>
      isText
        ? response.end(text(`http://${request.headers.host}`))
        : (answer as Answer)(request, response, body),
    )
    open.push(server)
    const base = new URL(`${server.url}${path}`)
    const fetch = guardedFetch({ base, allowPrivate: true, token: 'secret' })
    return { server, reading: readCard({ base, fetch, timeout, signal }) }
  }

  async function refusal(answer: Parameters<typeof read>[0], timeout?: number): Promise<HostError> {
    const { reading } = await read(answer, timeout)
    const error = await reading.then(
      () => expect.fail('It was taken.'),
      (thrown: unknown) => thrown,
    )
    return HostError.is(error) ? error : expect.fail(String(error))
  }

  it('AW-54 is at a well-known place below the address', async () => {
    const { server, reading } = await read((url: string) => cardAt(url), 5000, '/a2a/weather/')
    expect(await reading).to.deep.include({ name: 'Far', description: 'An agent' })
    const [request] = server.requests
    expect(request?.url).to.equal('/a2a/weather/.well-known/agent-card.json')
    expect(request?.headers).to.include({ 'a2a-version': '1.0', authorization: 'Bearer secret' })
  })

  it('is read with a signal that it leaves alone afterward, in whatever way it ends', async () => {
    const { signal } = new AbortController()
    const good = await read((url: string) => cardAt(url), 5000, '', signal)
    expect(await good.reading).to.include({ name: 'Far' })
    const broken = await read((_: string) => 'no card', 5000, '', signal)
    await broken.reading.then(
      () => expect.fail('It was taken.'),
      () => undefined,
    )
    expect(getEventListeners(signal, 'abort')).to.deep.equal([])
  })

  it('AW-54 has at most 256 KiB; one without an end is not read on', async () => {
    const large = await refusal((url: string) => cardAt(url, { more: 'x'.repeat(256 << 10) }))
    expect(large.message).to.include('more than 262144 bytes')
    const endless = await refusal((_request, response) => {
      const timer = setInterval(() => response.write('x'.repeat(100_000)), 1)
      response.on('close', () => clearInterval(timer))
    })
    expect(endless.message).to.include('more than 262144 bytes')
    const fits = await read((url: string) => cardAt(url, { more: 'x'.repeat(200_000) }))
    expect(await fits.reading).to.include({ name: 'Far' })
  })

  it('AW-54 follows no redirect, and waits no longer than it may', async () => {
    const moved = await refusal((_request, response) => {
      response.writeHead(302, { location: 'http://elsewhere.test/' })
      response.end()
    })
    expect(moved.message).to.include('redirects')
    const late = await refusal((_request, _response) => undefined, 30)
    expect([late.code, late.message]).to.deep.equal([
      'TIMEOUT',
      `"${new URL(open.at(-1)?.url ?? '').host}" sent no card within 30 ms.`,
    ])
  })

  for (const [what, card, message] of [
    [
      'another host',
      { supportedInterfaces: [binding('https://evil.test/a')] },
      '"https://evil.test"',
    ],
    [
      'another host among others',
      { supportedInterfaces: [binding(''), binding('http://evil.test')] },
      'other origin',
    ],
    ['no URL', { supportedInterfaces: [binding('nowhere')] }, 'not a URL'],
    ['no interface', { supportedInterfaces: [] }, 'not a URL'],
    [
      'another protocol alone',
      { supportedInterfaces: [binding('', 'GRPC')] },
      'without an interface',
    ],
    [
      'another host in the words of 0.3',
      { supportedInterfaces: undefined, url: 'https://evil.test' },
      'other origin',
    ],
    [
      'another host beside its own in 0.3',
      {
        supportedInterfaces: undefined,
        url: '',
        additionalInterfaces: [{ url: 'http://evil.test', transport: 'JSONRPC' }],
      },
      'other origin',
    ],
    ['no name', { name: '' }, 'without a name'],
    ['a name that is no text', { name: {} }, 'without a name'],
  ] as const) {
    it(`is refused with ${what}`, async () => {
      const error = await refusal((url: string) =>
        cardAt(url, card).replaceAll('"url":""', `"url":"${url}"`),
      )
      expect([error.code, error.message]).to.have.property('0', 'REMOTE_AGENT_FAILED')
      expect(error.message).to.include(message)
    })
  }

  it('is refused where it is not JSON, no object, nested too deeply, or not there', async () => {
    expect((await refusal(() => '<html>')).message).to.include('not JSON')
    expect((await refusal(() => '[]')).message).to.include('not a JSON object')
    const deep = `{"a":${'['.repeat(5000)}${']'.repeat(5000)}}`
    expect((await refusal(() => deep)).message).to.include('not a JSON object')
    const missing = await refusal((_request, response) => {
      response.statusCode = 404
      response.end('no')
    })
    expect(missing.message).to.include('the status 404')
    const broken = await refusal((_request, response) => {
      response.write('{"name":')
      setTimeout(() => response.destroy(), 20)
    })
    expect(broken.message).to.include('broke off')
  })

  it('may have interfaces that are not spoken here, wherever they are', async () => {
    const { reading } = await read((url: string) =>
      cardAt(url, { supportedInterfaces: [binding('https://grpc.test', 'GRPC'), binding(url)] }),
    )
    const { card } = await reading
    expect(card['supportedInterfaces']).to.have.length(1)
  })
})

function binding(url: string, protocolBinding = 'JSONRPC'): object {
  return { url, protocolBinding, protocolVersion: '1.0' }
}
