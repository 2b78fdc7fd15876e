/**
 * The interface for other Braidwork packages, beyond the public one in `index.ts`. It may change in any version.
 */

export { issueToken, TOKEN_IDENTITY } from './access/index.ts'
export { SPECS_OWNER, unknownAgents } from './agents/index.ts'
export { LOOPBACK_HOSTS } from './guards.ts'
export { firstOf } from './identity.ts'
export {
  actionFaults,
  HOST_NAME,
  mcpToolsFaults,
  optionsOf,
  PROTOCOLS,
  readServerConfig,
  SERVER_SCHEMA,
  type ServerConfig,
  tokenFaults,
} from './options/index.ts'
export { agentConfig, policyFaults } from './policy-faults.ts'
export { configFaults, publishedNames, toolFaults } from './published.ts'
export { replayed } from './routes/index.ts'
export { modelSettingsFaults, settableFaults, shownServerConfig } from './settings/index.ts'
export { telemetryFaults } from './telemetry/index.ts'
