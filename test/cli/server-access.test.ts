import { expect } from 'chai'
import { accessOf } from '../../src/cli/server-access.ts'
import { HostError } from '../../src/plugin/index.ts'
import type { ServerConfig } from '../../src/server/options/server-config.ts'

const TOKENS = [{ token: 'ada-0123456789abcdef', id: 'ada', role: 'user' }] as const
const OIDC = { issuer: 'https://login.example.com', audience: 'chat' }

describe('who may call the server of a config', () => {
  const keysOf = (config: ServerConfig, hostname = '127.0.0.1'): readonly string[] =>
    Object.keys(accessOf(config, hostname)).filter((key) => key !== 'hosts')

  const refusalOf = (config: ServerConfig, hostname = '127.0.0.1'): HostError => {
    try {
      accessOf(config, hostname)
    } catch (error) {
      if (HostError.is(error)) return error
    }
    throw new Error('It was not refused.')
  }

  it('is everybody on this machine, where the config says nothing of callers', () => {
    expect(keysOf({})).to.deep.equal(['anonymous'])
    expect(keysOf({ hosts: ['localhost', '127.0.0.1', '[::1]'] })).to.deep.equal(['anonymous'])
    expect(keysOf({ stored_tokens: false })).to.deep.equal(['anonymous'])
  })

  it('is nobody without a token, where the list of tokens is empty, and stored tokens work', async () => {
    for (const hostname of ['127.0.0.1', '0.0.0.0']) {
      const { anonymous, authenticate, storedTokens } = accessOf({ tokens: [] }, hostname)
      expect({ anonymous, storedTokens }).to.deep.equal({
        anonymous: undefined,
        storedTokens: true,
      })
      const request = new Request('http://localhost/', { headers: { 'x-api-key': 'a' } })
      expect(await authenticate?.(request)).to.equal(undefined)
    }
    const none = accessOf({ tokens: [], stored_tokens: false }, '127.0.0.1')
    expect(none).to.include({ storedTokens: false }).and.not.have.property('anonymous')
    expect(none.authenticate).to.be.a('function')
  })

  it('is the holder of a token of each kind', () => {
    expect(accessOf({ tokens: TOKENS }, '0.0.0.0')).to.include({ storedTokens: true })
    expect(accessOf({ oidc: OIDC }, '0.0.0.0')).to.include({ storedTokens: false })
    expect(keysOf({ stored_tokens: true })).to.deep.equal(['storedTokens'])
    expect(keysOf({ tokens: [], oidc: OIDC })).to.deep.equal(['authenticate', 'storedTokens'])
  })

  it('is never everybody where others than this machine come in', () => {
    for (const [config, hostname, told] of [
      [{}, '0.0.0.0', '0.0.0.0'],
      [{ trust_proxy: true }, '127.0.0.1', 'server.trust_proxy'],
      [{ hosts: ['localhost', 'chat.example.com'] }, '127.0.0.1', '"chat.example.com"'],
      [{ hosts: ['chat.example.com'], stored_tokens: false }, 'localhost', '"chat.example.com"'],
    ] as const) {
      const error = refusalOf(config, hostname)
      expect(error).to.include({ code: 'CONFIG_INVALID', pointer: '/server/tokens' })
      expect(error.message).to.include(told)
    }
  })
})
