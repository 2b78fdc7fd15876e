import { inspect } from 'node:util'
import { expect } from 'chai'
import { HostError } from '../../../src/plugin/errors.ts'
import { oidcAuthenticator } from '../../../src/server/access/index.ts'
import { readServerConfig } from '../../../src/server/options/server-config.ts'

const USUAL = { issuer: 'https://login.example.com', audience: 'braidwork' }

const VALID: readonly object[] = [
  {},
  { issuer: 'http://127.0.0.1:8080', jwks_uri: 'http://localhost/keys' },
  { audience: ['a', 'b'], role_claim: 'groups', admin_values: [], scope_claim: 'plan' },
  { admin_values: ['ops'], models: ['small'], limits: {}, host_tools: 'none' },
  { models: { small: { requests_per_day: 5 } }, limits: { cost_per_day: 0.5 } },
]

const INVALID: readonly (readonly [object, string])[] = [
  [{ issuer: undefined }, '/issuer'],
  [{ issuer: 'nope' }, '/issuer'],
  [{ issuer: 'http://example.com' }, '/issuer'],
  [{ issuer: 5 }, '/issuer'],
  [{ audience: undefined }, '/audience'],
  [{ audience: '' }, '/audience'],
  [{ audience: null }, '/audience'],
  [{ audience: [] }, '/audience'],
  [{ audience: [''] }, '/audience'],
  [{ jwks_uri: 'http://example.com/keys' }, '/jwks_uri'],
  [{ role_claim: '' }, '/role_claim'],
  [{ admin_values: 'ops' }, '/admin_values'],
  [{ admin_values: [5] }, '/admin_values'],
  [{ scope_claim: ['plan'] }, '/scope_claim'],
  [{ models: 'small' }, '/models'],
  [{ models: { small: { requests: 5 } } }, '/models'],
  [{ limits: { requests_per_day: 0 } }, '/limits'],
  [{ limits: { tokens_per_day: 1.5 } }, '/limits'],
  [{ limits: { cost_per_day: '5' } }, '/limits'],
  [{ host_tools: 'all' }, '/host_tools'],
  [{ admin_value: ['ops'] }, '/admin_value'],
  [{ roleClaim: 'groups' }, '/roleClaim'],
]

describe('the options of oidcAuthenticator', () => {
  const faultOf = (own: object) => {
    try {
      oidcAuthenticator({ ...USUAL, ...own })
      return undefined
    } catch (error) {
      return HostError.is(error) ? { code: error.code, pointer: error.pointer } : error
    }
  }
  const isConfig = (own: object) =>
    readServerConfig({ oidc: JSON.parse(JSON.stringify({ ...USUAL, ...own })) }, {}).then(
      () => true,
      () => false,
    )

  for (const own of VALID) {
    it(`are taken, as in a config: ${inspect(own, { breakLength: Infinity })}`, async () => {
      expect(faultOf(own)).to.equal(undefined)
      expect(await isConfig(own)).to.equal(true)
    })
  }

  for (const [own, pointer] of INVALID) {
    it(`are refused, as in a config: ${inspect(own, { breakLength: Infinity })}`, async () => {
      expect(faultOf(own)).to.deep.equal({ code: 'OPTION_INVALID', pointer })
      expect(await isConfig(own)).to.equal(false)
    })
  }

  it('are needed', () => {
    expect(() => oidcAuthenticator(undefined as never)).to.throw('"issuer" of oidcAuthenticator')
  })
})
