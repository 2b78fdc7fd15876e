export { type DecodedRequest, type DecodeOptions, decodeRequest } from './decode-request.ts'
export type { AnswerStream } from './stream-pages.ts'
export {
  type ResponseOptions,
  type ResponseTo,
  toErrorResponse,
  toResponse,
} from './to-response.ts'
