import { expect } from 'chai'
import { failedResponse, responseHead } from '../../../../src/server/wire/responses/response.ts'

describe('a response that failed', () => {
  const facts = { runId: 'r1', createdAt: 1_700_000_000_000, agent: 'tea' }
  const head = responseHead(facts as Parameters<typeof responseHead>[0], {})
  const failed = (code: string) => failedResponse(head, [], { status: 500, code, message: 'No.' })

  it('has an error code of the Responses API', () => {
    const codes = {
      INVALID_REQUEST: 'invalid_prompt',
      MESSAGES_INVALID: 'invalid_prompt',
      QUOTA_EXCEEDED: 'rate_limit_exceeded',
      RATE_LIMITED: 'rate_limit_exceeded',
      PROVIDER_FAILED: 'server_error',
      TIMEOUT: 'server_error',
    }
    for (const [code, told] of Object.entries(codes)) {
      const { status, error } = failed(code)
      expect({ status, error }).to.deep.equal({
        status: 'failed',
        error: { code: told, message: 'No.' },
      })
    }
  })

  it('is cancelled where its run was aborted', () => {
    expect(failed('ABORTED')).to.include({ status: 'cancelled', id: 'resp_r1' })
  })
})
