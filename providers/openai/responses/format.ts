import type { Format, Profile } from '@braidwork/model-api/exchange'
import { isWholeResponse, ResponsesAnswer } from './chunks.ts'
import { responseMessage } from './message.ts'
import { withoutRefusedReasoning } from './refused-reasoning.ts'
import { responsesRequest } from './request.ts'

const MEGABYTE = 1024 * 1024

export function responsesFormat(profile: Profile): Format {
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
    gather: () => new ResponsesAnswer(profile),
    message: (response) => responseMessage(response, profile),
  }
}
