/** Exports that a provider needs for its first request, but not to be registered. */

export { closeable, type Reading } from './body/stream.ts'
export { isError } from './causes.ts'
export {
  addressOf,
  factsOf,
  foreignText,
  functionOf,
  isPartList,
  joined,
  nativeOf,
  ownFacts,
  ownFactsIn,
  textOfOutput,
  warnOfLoose,
  withoutLastReasoning,
} from './content.ts'
export { DELTA_TYPES } from './delta-types.ts'
export { createEmbedding, type Embed } from './embeddings.ts'
export {
  apiError,
  interrupted,
  keyMissing,
  providerError,
  retryAfterIn,
  withoutKey,
} from './errors.ts'
export { createExchange, createStreaming, type Exchange, type Streaming } from './exchange.ts'
export { checkFiles, onlyInline } from './files.ts'
export type { Format, Gathering, Repair, StreamFormat } from './format.ts'
export { repairHistory } from './history.ts'
export { endpointOf } from './http/access.ts'
export type { Client } from './http/client.ts'
export { httpClient, type KeyRules } from './http/http-client.ts'
export { keepingHeads } from './http/kept-heads.ts'
export {
  argumentsObject,
  argumentsText,
  defined,
  objectsIn,
  parseArguments,
  parseJson,
  tell,
  textIn,
  without,
} from './json.ts'
export { limitsOf } from './limits.ts'
export type { Profile } from './profile.ts'
export { isRepaired } from './repaired.ts'
export type { RequestInput } from './request-input.ts'
export { bridged, resultImages, withImagesBehind } from './result-images.ts'
export { type Sampling, samplingOf } from './settings.ts'
export { isStrict } from './strict.ts'
