import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect } from 'chai'
import { GuardError, requestTo, responseOf, type Target } from '../../src/request-guard/index.ts'

describe('a request to a checked target', () => {
  let server: Server
  let target: Target
  before(async () => {
    server = createServer((request, response) => {
      if (request.url !== '/hang') response.end(`Host: ${request.headers.host}`)
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const url = new URL(`http://no-such-host.test:${port}/`)
    target = { url, addresses: [{ address: '127.0.0.1', family: 4 }] }
  })
  after(() => {
    server.closeAllConnections()
    server.close()
  })

  function asked(to: Target, signal?: AbortSignal) {
    const request = requestTo(to, { agent: false, ...(signal ? { signal } : {}) })
    const response = responseOf(request, to, signal)
    request.end()
    return response
  }

  it('goes to its addresses, whatever its name means now', async () => {
    expect(await text(await asked(target))).to.equal(`Host: ${target.url.host}`)
  })

  it('fails where nothing listens', async () => {
    const closed = { ...target, url: new URL('http://no-such-host.test:1/') }
    const error = await asked(closed).catch((thrown: unknown) => thrown)
    expect(error).to.be.instanceOf(GuardError)
    expect(String(error)).to.include('"no-such-host.test:1" could not be reached (ECONNREFUSED)')
  })

  it('fails at once where the server switches to another protocol, and leaves the connection', async () => {
    const lines = ['HTTP/1.1 101 Switching Protocols', 'Connection: upgrade', 'Upgrade: x', '', '']
    const switching = createTcpServer((socket) => {
      socket.on('error', () => socket.destroy())
      socket.once('data', () => socket.write(lines.join('\r\n')))
    })
    const left = once(switching, 'connection').then(([socket]) => once(socket as Socket, 'close'))
    switching.listen(0, '127.0.0.1')
    await once(switching, 'listening')
    try {
      const { port } = switching.address() as AddressInfo
      const url = new URL(`http://no-such-host.test:${port}/`)
      const error = await asked({ ...target, url }).catch((thrown: unknown) => thrown)
      expect(error).to.be.instanceOf(GuardError)
      expect(String(error)).to.include(`"${url.host}" switches to another protocol`)
      await left
    } finally {
      switching.close()
    }
  })

  it('ends with the signal of its caller', async () => {
    const caller = new AbortController()
    const hanging = asked({ ...target, url: new URL('/hang', target.url) }, caller.signal)
    caller.abort()
    const error = await hanging.catch((thrown: unknown) => thrown)
    expect(error).to.include({ name: 'AbortError' })
  })
})
