import type { Format, Profile } from '@braidwork/model-api/exchange'
import { isWholeResponse, ResponsesAnswer } from './chunks.ts'
import { responseMessage } from './message.ts'
import { withoutRefusedReasoning } from './refused-reasoning.ts'
import { responsesRequest } from './request.ts'
import { stoppedResponse } from './stopped.ts'

const MEGABYTE = 1024 * 1024

/** @param stops the stop sequences: the API has none, so the provider ends answers at them itself */
export function responsesFormat(profile: Profile, stops: readonly string[]): Format {
  return {
    profile,
    callIds: { pattern: /^[\s\S]+$/, longest: 64 },
    files: { types: /^(image|application|text)\/.+/, largest: 50 * MEGABYTE },
    path: '/responses',
    list: 'output',
    mayBeEmpty: true,
    request: (input) => responsesRequest(input, profile),
    streaming: (body) => ({ ...body, stream: true }),
    repair: withoutRefusedReasoning,
    ending: { wholeWith: isWholeResponse, hasDone: false },
    wholeAsChunk: (response) => ({ type: 'response.completed', response }),
    gather: () => new ResponsesAnswer(profile, stops),
    message: (response) => responseMessage(stoppedResponse(response, stops).left, profile),
  }
}
