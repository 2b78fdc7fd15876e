import { expect } from 'chai'
import type { FinishEvent } from '../../../../src/plugin/events/index.ts'
import {
  failedResponse,
  finishedResponse,
  responseHead,
} from '../../../../src/server/wire/responses/response.ts'

const facts = { runId: 'r1', createdAt: 1_700_000_000_000, agent: 'tea' }
const head = responseHead(facts as Parameters<typeof responseHead>[0], {})

describe('a response that failed', () => {
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

describe('the usage of a finished response', () => {
  const usageOf = (usage: FinishEvent['usage']) =>
    finishedResponse(head, [], { type: 'finish', finishReason: 'stop', usage, messages: [] }).usage

  it('has each count that the API requires, 0 where it is unknown', () => {
    expect(usageOf({})).to.deep.equal({
      input_tokens: 0,
      input_tokens_details: { cached_tokens: 0, cache_write_tokens: 0 },
      output_tokens: 0,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: 0,
    })
  })

  it('has the tokens that were read from the cache and written to it', () => {
    expect(usageOf({ input: 9, cacheRead: 4, cacheWrite: 2 })).to.deep.include({
      input_tokens_details: { cached_tokens: 4, cache_write_tokens: 2 },
    })
  })
})
