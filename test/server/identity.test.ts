import { expect } from 'chai'
import { type Environment, systemEnvironment } from '../../src/agent/index.ts'
import { HostError } from '../../src/plugin/index.ts'
import { type Authenticate, tokenAuthenticator } from '../../src/server/index.ts'
import { Served } from './routes/served.ts'

const PATHS = [
  '/v1/chat/completions',
  '/v1/messages',
  '/ag-ui',
  '/mcp',
  '/api/chat',
  '/api/settings',
]

describe('a caller that is not known', () => {
  async function refusals(authenticate: Authenticate, headers = {}) {
    const served = await Served.start({ authenticate })
    const asked = { method: 'POST', body: '{}', headers }
    const answers = await Promise.all(PATHS.map((path) => served.ask(path, asked)))
    await served.close()
    return answers
  }

  it('is told of tokens by the authenticator of tokens', async () => {
    const unsent = await refusals(tokenAuthenticator([]), { authorization: 'none' })
    for (const { status, text, headers } of unsent) {
      expect(status).to.equal(401)
      expect(text).to.include('Authorization: Bearer')
      expect(headers.get('www-authenticate')).to.equal('Bearer realm="braidwork"')
    }
  })

  it('is told that the token is wrong, where it sent one', async () => {
    for (const headers of [{ authorization: 'Bearer x' }, { 'x-api-key': 'x' }])
      for (const { status, headers: sent } of await refusals(tokenAuthenticator([]), headers)) {
        const challenge = 'Bearer realm="braidwork", error="invalid_token"'
        expect([status, sent.get('www-authenticate')]).to.deep.equal([401, challenge])
      }
  })

  it('is not told of tokens by an authenticator of another kind', async () => {
    for (const headers of [{}, { authorization: 'Basic eDp5' }, { 'x-api-key': 'k' }]) {
      const answers = await refusals(() => undefined, headers)
      for (const { status, text, headers: sent } of answers) {
        expect(status).to.equal(401)
        expect(text).to.include('This server does not know the caller.')
        expect(text).not.to.match(/bearer|token|x-api-key/i)
        expect(sent.get('www-authenticate')).to.equal(null)
      }
    }
  })

  it('is told so in the form of each protocol', async () => {
    const message = 'This server does not know the caller.'
    const openai = { message, type: 'authentication_error', param: null, code: 'invalid_api_key' }
    const data = { code: 'UNAUTHORIZED' }
    const info = {
      '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
      reason: 'UNAUTHORIZED',
      domain: 'braidwork',
    }
    const jsonRpc = (error: object) => ({ jsonrpc: '2.0', id: null, error })
    const bodies = [
      ['/v1/chat/completions', { error: openai }],
      ['/v1/responses', { error: openai }],
      [
        '/v1/messages',
        {
          type: 'error',
          error: { type: 'authentication_error', message },
          request_id: 'request',
        },
      ],
      ['/ag-ui', { type: 'RUN_ERROR', message, code: 'UNAUTHORIZED' }],
      ['/mcp', jsonRpc({ code: -32_600, message, data })],
      ['/a2a/quick', jsonRpc({ code: -32_603, message, data: [info] })],
      ['/api/chat', { code: 'UNAUTHORIZED', message }],
      ['/api/settings', { error: { code: 'UNAUTHORIZED', message } }],
    ] as const
    const environment: Environment = { ...systemEnvironment, newId: (kind) => kind }
    const served = await Served.start({ authenticate: () => undefined, environment })
    const asked = { method: 'POST', body: '{}' }
    const answers = await Promise.all(bodies.map(([path]) => served.ask(path, asked)))
    await served.close()
    for (const [at, { status, json }] of answers.entries()) {
      const [path, body] = bodies[at] ?? expect.fail('there is one more')
      expect(status, path).to.equal(401)
      expect(json, path).to.deep.equal(body)
    }
  })

  it('is told the reason that an authenticator gives as an error', async () => {
    const expired = new HostError('UNAUTHORIZED', 'Your session has expired; sign in again.')
    for (const { status, text } of await refusals(() => Promise.reject(expired))) {
      expect(status).to.equal(401)
      expect(text).to.include('Your session has expired')
    }
  })

  it('learns nothing of an authenticator that fails', async () => {
    const broken = new Error('connect ECONNREFUSED ldap.internal:389')
    for (const { status, text } of await refusals(() => Promise.reject(broken))) {
      expect(status).to.equal(500)
      expect(text).not.to.include('ldap')
    }
  })
  it('is let in by no answer of an authenticator that is not an identity', async () => {
    // No word of hexadecimal digits alone: the ids of requests could have it.
    const answers = [
      true,
      'bob',
      {},
      { id: 'bob' },
      { id: 'bob', role: 'boss' },
      { id: '', role: 'user' },
      { id: ' ', role: 'user' },
    ]
    for (const answer of answers) {
      const authenticate = (() => answer) as unknown as Authenticate
      for (const { status, text } of await refusals(authenticate)) {
        expect(status, JSON.stringify(answer)).to.equal(500)
        expect(text).not.to.include('bob')
      }
    }
  })
})
