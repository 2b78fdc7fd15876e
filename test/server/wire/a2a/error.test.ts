import { expect } from 'chai'
import { a2aErrorAnswer, a2aRpcErrorAnswer } from '../../../../src/server/wire/a2a/index.ts'
import { publicError } from '../../../../src/server/wire/public-error.ts'

const INFO = 'type.googleapis.com/google.rpc.ErrorInfo'
const errorOf = (code: string, more: object = {}) =>
  publicError({ code, message: 'What.', ...more })

describe('errors of A2A', () => {
  for (const [code, rpc, reason, status, name] of [
    ['RUN_UNKNOWN', -32_001, 'TASK_NOT_FOUND', 404, 'NOT_FOUND'],
    ['RUN_NOT_ACTIVE', -32_002, 'TASK_NOT_CANCELABLE', 400, 'FAILED_PRECONDITION'],
    [
      'NOTIFICATIONS_UNSUPPORTED',
      -32_003,
      'PUSH_NOTIFICATION_NOT_SUPPORTED',
      400,
      'FAILED_PRECONDITION',
    ],
    ['OPERATION_UNSUPPORTED', -32_004, 'UNSUPPORTED_OPERATION', 400, 'FAILED_PRECONDITION'],
    ['APPROVAL_EXPIRED', -32_004, 'UNSUPPORTED_OPERATION', 400, 'FAILED_PRECONDITION'],
    ['VERSION_UNSUPPORTED', -32_009, 'VERSION_NOT_SUPPORTED', 400, 'FAILED_PRECONDITION'],
    ['REQUEST_INVALID', -32_602, 'INVALID_PARAMS', 400, 'INVALID_ARGUMENT'],
    ['MODEL_UNPUBLISHED', -32_602, 'INVALID_PARAMS', 404, 'NOT_FOUND'],
  ] as const) {
    it(`are those of the specification: ${reason} (${code})`, () => {
      const details = [{ '@type': INFO, reason, domain: 'a2a-protocol.org' }]
      expect(a2aErrorAnswer(errorOf(code))).to.deep.equal({
        status,
        headers: {},
        body: { error: { code: status, status: name, message: 'What.', details } },
      })
      expect(a2aRpcErrorAnswer(errorOf(code), { id: 7 })).to.deep.equal({
        status: 200,
        headers: {},
        body: { jsonrpc: '2.0', id: 7, error: { code: rpc, message: 'What.', data: details } },
      })
      const streamed = a2aRpcErrorAnswer(errorOf(code), { id: 7, isStream: true })
      expect([streamed.status, streamed.event]).to.deep.equal([200, 'error'])
    })
  }

  it('of the server have their status in both bindings, and codes of its own', () => {
    const limited = errorOf('TOO_MANY_REQUESTS', { retryAfter: 2.5 })
    const rpc = a2aRpcErrorAnswer(limited, { id: null })
    expect([rpc.status, rpc.headers]).to.deep.equal([429, { 'retry-after': '3' }])
    expect(a2aRpcErrorAnswer(limited, { id: 7, isStream: true })).not.to.have.property('event')
    expect(rpc.body).to.deep.include({ id: null })
    expect(JSON.stringify(rpc.body)).to.include('"reason":"TOO_MANY_REQUESTS","domain":"braidwork"')
    const hidden = a2aErrorAnswer(errorOf('HOOK_FAILED'))
    expect(hidden.status).to.equal(500)
    expect(JSON.stringify(hidden.body)).to.include('INTERNAL').and.not.include('What.')
  })

  it('tell where the fault is, and whether the request could be read at all', () => {
    const wrong = errorOf('REQUEST_INVALID', { pointer: '/message/role' })
    expect(JSON.stringify(a2aErrorAnswer(wrong).body)).to.include('"pointer":"/message/role"')
    const codeOf = (unread: -32_700 | -32_600) =>
      (a2aRpcErrorAnswer(wrong, { id: null, unread }).body as { error: { code: number } }).error
        .code
    expect([codeOf(-32_700), codeOf(-32_600)]).to.deep.equal([-32_700, -32_600])
    expect(a2aRpcErrorAnswer(wrong, { id: null, unread: -32_600 }).status).to.equal(400)
  })
})
