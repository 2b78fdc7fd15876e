export { actionFaults } from './action-faults.ts'
export { assertOptions } from './assert-options.ts'
export { HOST_NAME } from './host-names.ts'
export { optionsOf, readServerConfig, type ServerConfig } from './server-config.ts'
export {
  type BodyLimits,
  DEFAULT_HEARTBEAT,
  DEFAULT_WIRE_LIMITS,
  type NotificationSettings,
  type PageFile,
  type PageFiles,
  PROTOCOLS,
  type Protocol,
  type ReloadOptions,
  type ServerOptions,
  type TelemetrySettings,
  type WireLimits,
} from './server-options.ts'
export { SERVER_SCHEMA } from './server-schema.ts'
export { mcpToolsFaults, tokenFaults, unpublishedTools } from './token-faults.ts'
