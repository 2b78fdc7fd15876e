import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'chai'
import { exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose'
import { HostError } from '../../../src/plugin/errors.ts'
import { type OidcConfig, oidcAuthenticator } from '../../../src/server/access/index.ts'
import { type Authenticate, identify } from '../../../src/server/identity.ts'
import { readServerConfig } from '../../../src/server/options/server-config.ts'

type KeyPair = Awaited<ReturnType<typeof generateKeyPair>>

/** An OpenID Connect issuer on loopback, with keys of its own. */
class Issuer {
  readonly address: string
  readonly #http: Server
  readonly keys: JWK[] = []
  isAway = false
  /** Whether it takes requests and does not answer. */
  hangs = false
  asked: string[] = []

  private constructor(http: Server) {
    this.#http = http
    const { port } = http.address() as AddressInfo
    this.address = `http://127.0.0.1:${port}`
    http.on('request', ({ url = '' }, response) => {
      this.asked.push(url)
      if (this.hangs) return
      if (this.isAway) response.writeHead(500)
      else if (url === '/keys') response.write(JSON.stringify({ keys: this.keys }))
      else
        response.write(JSON.stringify({ issuer: this.address, jwks_uri: `${this.address}/keys` }))
      response.end()
    })
  }

  static async start(): Promise<Issuer> {
    const http = createServer().listen(0, '127.0.0.1')
    await once(http, 'listening')
    return new Issuer(http)
  }

  /** Publishes the public half of a key. */
  async publish({ publicKey }: KeyPair, kid?: string, algorithm = 'RS256'): Promise<void> {
    const named = kid === undefined ? {} : { kid }
    this.keys.push({ ...(await exportJWK(publicKey)), ...named, alg: algorithm })
  }

  close(): void {
    this.#http.closeAllConnections()
    this.#http.close()
  }
}

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

const CLAIMS = { sub: 'ada', groups: ['staff'], plan: 'pro' }

describe('tokens of an OIDC issuer', () => {
  let issuer: Issuer
  let pair: KeyPair
  let other: KeyPair
  let config: OidcConfig
  before(async () => {
    pair = await generateKeyPair('RS256', { extractable: true })
    other = await generateKeyPair('RS256', { extractable: true })
  })
  beforeEach(async () => {
    issuer = await Issuer.start()
    await issuer.publish(pair, 'first')
    const roles = { role_claim: 'groups', admin_values: ['operators'], scope_claim: 'plan' }
    config = { issuer: issuer.address, audience: 'braidwork', ...roles }
  })
  const { now } = Date
  /** Sets the clock forward, counted from the present. */
  const setForward = (milliseconds: number) => {
    Date.now = () => now() + milliseconds
  }
  afterEach(() => {
    Date.now = now
    issuer.close()
  })

  interface Signing {
    readonly claims?: Record<string, unknown>
    readonly key?: KeyPair['privateKey'] | Uint8Array
    readonly header?: { readonly alg: string; readonly kid?: string }
    readonly expires?: string
  }

  function signed({ claims = {}, key = pair.privateKey, header, expires = '1h' }: Signing = {}) {
    const all = { iss: issuer.address, aud: 'braidwork', ...CLAIMS, ...claims }
    return new SignJWT(all)
      .setProtectedHeader(header ?? { alg: 'RS256', kid: 'first' })
      .setIssuedAt()
      .setExpirationTime(expires)
      .sign(key)
  }

  const asking = (token: string) =>
    new Request('http://localhost/', { headers: { authorization: `Bearer ${token}` } })
  const known = async (token: string, own: Authenticate = oidcAuthenticator(config)) =>
    own(asking(token))

  const faultOf = async (token: string, own: Authenticate) => {
    const answer = await known(token, own).catch((thrown: unknown) => thrown)
    return HostError.is(answer) ? answer.code : answer
  }

  it('identify a caller by subject, with role and scope from claims', async () => {
    expect(await known(await signed())).to.deep.equal({
      id: 'oidc:ada',
      role: 'user',
      scope: 'pro',
    })
    const admin = await known(await signed({ claims: { groups: ['staff', 'operators'] } }))
    expect(admin).to.include({ role: 'admin' })
    const rights = {
      models: ['small'],
      limits: { requests_per_day: 1 },
      host_tools: 'none',
    } as const
    const limited = oidcAuthenticator({ ...config, ...rights })
    expect(await known(await signed(), limited)).to.deep.include(rights)
  })

  it('may be signed with elliptic curves too, and for several audiences', async () => {
    const curve = await generateKeyPair('ES256', { extractable: true })
    await issuer.publish(curve, 'curve', 'ES256')
    const header = { alg: 'ES256', kid: 'curve' }
    const claims = { aud: ['other', 'braidwork'] }
    expect(await known(await signed({ claims, key: curve.privateKey, header }))).to.include({
      id: 'oidc:ada',
    })
  })

  it('identify nobody without a signature of the issuer', async () => {
    const body = (await signed()).split('.')[1] ?? ''
    const unsigned = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${body}.`
    expect(await known(unsigned)).to.equal(undefined)
    const secret = new TextEncoder().encode(JSON.stringify(issuer.keys[0]))
    const shared = await signed({ key: secret, header: { alg: 'HS256', kid: 'first' } })
    expect(await known(shared)).to.equal(undefined)
    expect(await known(await signed({ key: other.privateKey }))).to.equal(undefined)
    const changed = (await signed()).split('.')
    changed[1] = Buffer.from(JSON.stringify({ ...CLAIMS, sub: 'root' })).toString('base64url')
    expect(await known(changed.join('.'))).to.equal(undefined)
    for (const none of ['a.b.c', 'x', '..', `${'a'.repeat(100_000)}.b.c`]) {
      expect(await known(none)).to.equal(undefined)
    }
  })

  it('identify nobody once they have expired, before their time, or for others', async () => {
    expect(await known(await signed({ expires: '-1m' }))).to.equal(undefined)
    expect(await known(await signed({ expires: '-10s' }))).to.include({ id: 'oidc:ada' })
    const later = Math.floor(Date.now() / 1000) + 300
    for (const claims of [
      { nbf: later },
      { iss: 'https://other.example.com' },
      { aud: 'other' },
      { aud: undefined },
      { sub: undefined },
      { sub: '' },
      { sub: 'x'.repeat(201) },
    ]) {
      expect(await known(await signed({ claims })), JSON.stringify(claims)).to.equal(undefined)
    }
  })

  it('are checked with new keys when the issuer replaces them', async () => {
    const own = oidcAuthenticator(config)
    expect(await known(await signed(), own)).to.include({ id: 'oidc:ada' })
    issuer.keys.length = 0
    await issuer.publish(other, 'second')
    const token = await signed({ key: other.privateKey, header: { alg: 'RS256', kid: 'second' } })
    expect(await known(token, own)).to.equal(undefined)
    setForward(11 * SECOND)
    expect(await known(token, own)).to.include({ id: 'oidc:ada' })
    expect(await known(await signed(), own)).to.equal(undefined)
    const asked = issuer.asked.length
    for (let count = 0; count < 20; count++) {
      expect(
        await known(await signed({ header: { alg: 'RS256', kid: `x${count}` } }), own),
      ).to.equal(undefined)
    }
    expect(issuer.asked.length - asked).to.be.at.most(1)
  })

  it('fail as a service that is away while the issuer is, and work when it is back', async () => {
    const own = oidcAuthenticator(config)
    issuer.isAway = true
    const token = await signed()
    expect(await faultOf(token, own)).to.equal('ISSUER_AWAY')
    expect(await known('bw_no-jwt', own)).to.equal(undefined)
    issuer.isAway = false
    setForward(10 * SECOND)
    expect(await known(token, own)).to.include({ id: 'oidc:ada' })
    issuer.isAway = true
    expect(await known(token, own)).to.include({ id: 'oidc:ada' })
  })

  it('ask an issuer that is away at most once in ten seconds, whoever sends them', async () => {
    const own = oidcAuthenticator({ ...config, jwks_uri: `${issuer.address}/keys` })
    issuer.isAway = true
    for (let count = 0; count < 5; count++) {
      expect(await faultOf(await signed(), own)).to.equal('ISSUER_AWAY')
    }
    expect(issuer.asked).to.have.lengthOf(1)
    issuer.isAway = false
    setForward(10 * SECOND)
    expect(await known(await signed(), own)).to.include({ id: 'oidc:ada' })
    issuer.isAway = true
    setForward(25 * SECOND)
    for (let count = 0; count < 5; count++) {
      const header = { alg: 'RS256', kid: `x${count}` }
      expect(await faultOf(await signed({ header }), own)).to.equal('ISSUER_AWAY')
      expect(await faultOf(await signed({ key: other.privateKey }), own)).to.equal('ISSUER_AWAY')
    }
    expect(issuer.asked).to.have.lengthOf(3)
  })

  it('are checked with the keys that are there for a day while the issuer is away', async () => {
    const own = oidcAuthenticator(config)
    const token = await signed({ expires: '48h' })
    expect(await known(token, own)).to.include({ id: 'oidc:ada' })
    issuer.isAway = true
    const warned = once(process, 'warning')
    for (const later of [9 * MINUTE, 11 * MINUTE, 2 * HOUR, 23 * HOUR]) {
      setForward(later)
      expect(await known(token, own), String(later)).to.include({ id: 'oidc:ada' })
    }
    const [{ code, message }] = (await warned) as [Error & { code?: string }]
    expect(code).to.equal('ISSUER_AWAY')
    expect(message).to.include('answered 500').and.include('up to 24 hours')
    setForward(25 * HOUR)
    expect(await faultOf(token, own)).to.equal('ISSUER_AWAY')
    issuer.isAway = false
    setForward(25 * HOUR + 10 * SECOND)
    expect(await known(token, own)).to.include({ id: 'oidc:ada' })
  })

  it('are not checked with a key that the issuer withdrew more than ten minutes ago', async () => {
    const own = oidcAuthenticator(config)
    expect(await known(await signed(), own)).to.include({ id: 'oidc:ada' })
    issuer.keys.length = 0
    await issuer.publish(other, 'second')
    setForward(11 * MINUTE)
    expect(await known(await signed(), own)).to.equal(undefined)
  })

  it('do not wait for an issuer that is known to be away', async () => {
    const own = oidcAuthenticator(config)
    expect(await known(await signed(), own)).to.include({ id: 'oidc:ada' })
    issuer.isAway = true
    setForward(11 * MINUTE)
    expect(await known(await signed(), own)).to.include({ id: 'oidc:ada' })
    issuer.hangs = true
    setForward(12 * MINUTE)
    const before = performance.now()
    expect(await known(await signed(), own)).to.include({ id: 'oidc:ada' })
    expect(performance.now() - before).to.be.below(4 * SECOND)
  })

  it('are checked with a new key that has no id, or the same one', async () => {
    for (const kid of [undefined, 'same']) {
      issuer.keys.length = 0
      await issuer.publish(pair, kid)
      const header = { alg: 'RS256', ...(kid === undefined ? {} : { kid }) }
      const own = oidcAuthenticator(config)
      expect(await known(await signed({ header }), own)).to.include({ id: 'oidc:ada' })
      issuer.keys.length = 0
      await issuer.publish(other, kid)
      const token = await signed({ header, key: other.privateKey })
      setForward(11 * SECOND)
      expect(await known(token, own), String(kid)).to.include({ id: 'oidc:ada' })
      expect(await known(await signed({ header }), own)).to.equal(undefined)
      Date.now = now
    }
  })

  it('may name no key where the issuer has several', async () => {
    await issuer.publish(other)
    const header = { alg: 'RS256' }
    const third = await generateKeyPair('RS256', { extractable: true })
    const own = oidcAuthenticator(config)
    for (const { privateKey: key } of [pair, other]) {
      expect(await known(await signed({ header, key }), own)).to.include({ id: 'oidc:ada' })
    }
    expect(await known(await signed({ header, expires: '-1h' }), own)).to.equal(undefined)
    expect(await known(await signed({ header, key: third.privateKey }), own)).to.equal(undefined)
  })

  it('get a 401 that speaks of tokens', async () => {
    const own = oidcAuthenticator(config)
    const refused = identify(asking(await signed({ expires: '-1h' })), own)
    const error = await refused.catch((thrown: unknown) => thrown)
    expect((error as HostError).message).to.equal('This server does not know the token.')
  })

  it('need an issuer with HTTPS, or one on this machine', async () => {
    const check = (oidc: object) =>
      readServerConfig({ oidc }, {}).then(
        () => true,
        () => false,
      )
    const audience = 'a'
    expect(await check({ issuer: 'https://login.example.com', audience })).to.equal(true)
    expect(await check({ issuer: 'http://127.0.0.1:8080', audience })).to.equal(true)
    expect(await check({ issuer: 'http://login.example.com', audience })).to.equal(false)
    expect(await check({ issuer: 'http://localhost.example.com', audience })).to.equal(false)
    expect(await check({ issuer: 'https://login.example.com' })).to.equal(false)
  })
})
