/** Exports that a provider of an HTTP model API needs to be registered, before its first request. */

export { type ChatDialect, COMMON, efforts, MEGABYTE } from './chat/dialect.ts'
export type {
  ChatChunk,
  ChatContentPart,
  ChatMessage,
  ChatRequest,
  ChatTool,
  ChatToolCall,
  ChatToolCallDelta,
} from './chat/native.ts'
export type { ChatServer } from './chat/request.ts'
export { CHAT_SAMPLING, type ChatSettings } from './chat/settings.ts'
export type { State } from './exchange.ts'
export type { Piece } from './format.ts'
export { withGerman } from './german.ts'
export { type Access, withoutEndSlashes } from './http/access.ts'
export { connectionCheck } from './http/connection-fault.ts'
export type { Fetch } from './http/transport.ts'
export type { AnswerContext, HttpApi, HttpRequest, OwnSettings } from './http-api.ts'
export { type HttpProvider, httpProvider } from './http-provider.ts'
export { loadingSoon } from './load-soon.ts'
export { type KnownModel, modelData, withoutDate } from './model-data.ts'
export type { Profile } from './profile.ts'
export { lazyEmbed, lazyHooks } from './provider.ts'
export { digestOf, isOwnServer, profileAt } from './server.ts'
export {
  type ConnectionSettings,
  neutral,
  SAMPLING_SETTINGS,
  type Sampling,
  type SamplingKey,
  schemaOf,
  settingsOf,
  text,
  texts,
} from './settings.ts'
