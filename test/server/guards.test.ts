import { expect } from 'chai'
import type { HostError } from '../../src/plugin/index.ts'
import { checkOrigin, LOOPBACK_HOSTS, originOf } from '../../src/server/guards.ts'

const OWN = { hosts: LOOPBACK_HOSTS, origins: [], trustsProxy: false }

/** A request as Next.js hands it on: its address is always that of the machine. */
function asked(headers: { readonly [name: string]: string }, url = 'http://localhost:3000/v1') {
  return new Request(url, { headers })
}

function errorOf(request: Request, origins = {}): HostError | undefined {
  try {
    checkOrigin(request, { ...OWN, ...origins })
    return undefined
  } catch (error) {
    return error as HostError
  }
}

const codeOf = (request: Request, origins = {}) => errorOf(request, origins)?.code

describe('the check of a host name', () => {
  it('goes by the header Host, whatever the address of the request is', () => {
    expect(codeOf(asked({ host: 'evil.example' }))).to.equal('HOST_FOREIGN')
    expect(codeOf(asked({ host: 'evil.example:3000' }))).to.equal('HOST_FOREIGN')
    expect(codeOf(asked({ host: '127.0.0.1:3000' }))).to.equal(undefined)
    const hosts = ['chat.example.org']
    expect(codeOf(asked({ host: 'chat.example.org' }), { hosts })).to.equal(undefined)
    expect(codeOf(asked({ host: 'localhost:3000' }), { hosts })).to.equal('HOST_FOREIGN')
  })

  it('goes by the address of a request without the header', () => {
    expect(codeOf(asked({}))).to.equal(undefined)
    expect(codeOf(asked({}, 'http://evil.example/v1'))).to.equal('HOST_FOREIGN')
  })

  it('refuses a header that has more than a name and a port', () => {
    for (const host of [
      'x@localhost',
      'localhost/x',
      'localhost?x',
      'localhost#x',
      'localhost\\x',
    ]) {
      expect(errorOf(asked({ host }))?.message, host).to.include('"Host" header is not a valid')
    }
  })

  it('says where a name is added', () => {
    const message = errorOf(asked({ host: 'chat.example.org' }))?.message
    expect(message).to.include('"chat.example.org"').and.include('"hosts"')
  })
})

describe('the check of an origin', () => {
  it('lets the page of the name in the header Host in', () => {
    const host = '127.0.0.1:3116'
    expect(codeOf(asked({ host, origin: 'http://127.0.0.1:3116' }))).to.equal(undefined)
    expect(codeOf(asked({ host, origin: 'http://localhost:3000' }))).to.equal('ORIGIN_FOREIGN')
  })

  it('names the origin, the name of the server and the options in its error', () => {
    const headers = { host: 'localhost:3000', origin: 'https://chat.example.org' }
    expect(errorOf(asked(headers))?.message).to.equal(
      'Web pages of the origin "https://chat.example.org" may not call this server, which was requested as "localhost:3000". Add the origin to "origins", or set "trustsProxy" ("trust_proxy" in a config) behind a proxy that sets "X-Forwarded-Host" and "X-Forwarded-Proto".',
    )
  })
})

describe('the address of a server', () => {
  it('has the name in the header Host', () => {
    expect(originOf(asked({ host: 'chat.example.org' }), false)).to.equal('http://chat.example.org')
    const headers = {
      host: '10.0.0.7',
      'x-forwarded-host': 'a.example',
      'x-forwarded-proto': 'https',
    }
    expect(originOf(asked(headers), true)).to.equal('https://a.example')
  })
})
