export { type ResponseAnswerOptions, responseInProgress, responsesAnswer } from './answer.ts'

export { responsesEncoder } from './encoder.ts'
export {
  type HeldItem,
  hostCallIds,
  type ItemFacts,
  itemsOfRun,
} from './held-items.ts'
export type { KnownItems } from './input.ts'
export { itemsOfInput } from './input-items.ts'
export { placeIn } from './items.ts'
export type { ResponsesOptions } from './options.ts'
export { type References, referencesIn } from './references.ts'
export { decodeItems, decodeResponses, type ResponsesRequest } from './request.ts'
export type { ResponseAbout } from './response.ts'
