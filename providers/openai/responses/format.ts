import type { Format } from '@braidwork/model-api/exchange'
import { OPENAI } from '../profile.ts'
import { isWholeResponse, ResponsesAnswer } from './chunks.ts'
import { responseMessage } from './message.ts'
import { withoutRefusedReasoning } from './refused-reasoning.ts'
import { responsesRequest } from './request.ts'

const MEGABYTE = 1024 * 1024

export const RESPONSES: Format = {
  profile: OPENAI,
  callIds: { pattern: /^[\s\S]+$/, longest: 64 },
  files: { types: /^(image|application|text)\/.+/, largest: 50 * MEGABYTE },
  path: '/responses',
  list: 'output',
  mayBeEmpty: true,
  request: responsesRequest,
  streaming: (body) => ({ ...body, stream: true }),
  repair: withoutRefusedReasoning,
  ending: { wholeWith: isWholeResponse, hasDone: false },
  wholeAsChunk: (response) => ({ type: 'response.completed', response }),
  gather: () => new ResponsesAnswer(OPENAI),
  message: (response) => responseMessage(response, OPENAI),
}
