export { type ResponseAnswerOptions, responseInProgress, responsesAnswer } from './answer.ts'

export { responsesEncoder } from './encoder.ts'
export type { ResponsesOptions } from './item-writer.ts'
export { decodeResponses, type ResponsesRequest } from './request.ts'
export type { ResponseAbout } from './response.ts'
