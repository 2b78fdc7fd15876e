export { type OidcConfig, oidcAuthenticator } from './access/index.ts'
export type { AmountLimits, Authenticate, Identity, TokenIdentity } from './identity.ts'
export { LOCAL, tokenAuthenticator } from './identity.ts'
export { type Listening, type ListenOptions, listen } from './listen.ts'

export { type NodeHandler, toNodeHandler } from './node-handler.ts'
export type { Protocol, ReloadOptions, ServerOptions, WireLimits } from './options/index.ts'
export {
  type AnswerStream,
  type DecodedRequest,
  type DecodeOptions,
  decodeRequest,
  type ResponseOptions,
  type ResponseTo,
  toErrorResponse,
  toResponse,
} from './own-routes/index.ts'
export type { AskedRequest, PerRequest } from './per-request.ts'
export type { PublishedModels } from './published.ts'
export type { McpConnection, McpStreams } from './routes/index.ts'
export { type BraidworkServer, createServer, type Reloaded } from './server.ts'
