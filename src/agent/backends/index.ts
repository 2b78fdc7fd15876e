/** Backends: how agents are run that run elsewhere. */
export type {
  AgentBackend,
  BackendCapabilities,
  BackendFactory,
  DiscoveredAgent,
  RemoteAgent,
  RemoteOrder,
} from './backend.ts'
export { maskedBackend, maskedDiscovery, tokenMask } from './masked-backend.ts'
export { remoteRun } from './remote-run.ts'
