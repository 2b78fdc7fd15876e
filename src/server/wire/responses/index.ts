export { type ResponseAnswerOptions, responseInProgress, responsesAnswer } from './answer.ts'

export { type ResponsesOptions, responsesEncoder } from './encoder.ts'
export { decodeResponses, type ResponsesRequest } from './request.ts'
export type { ResponseAbout } from './response.ts'
