/**
 * The interface for other Braidwork packages, beyond the public one in `index.ts`. It may change in any version.
 */

export { issueToken, TOKEN_IDENTITY } from './access/index.ts'
export { SPECS_OWNER, unknownAgents } from './agents/index.ts'
export { settableFaults } from './guarded-settings.ts'
export { LOOPBACK_HOSTS } from './guards.ts'
export { firstOf } from './identity.ts'
export { modelSettingsFaults } from './model-settings.ts'
export { agentConfig, policyFaults } from './policy-faults.ts'
export { configFaults, publishedNames, toolFaults } from './published.ts'
export { replayed } from './routes/index.ts'
export { optionsOf, readServerConfig, SERVER_SCHEMA, type ServerConfig } from './server-config.ts'
export { PROTOCOLS } from './server-options.ts'
export { shownServerConfig } from './shown-config.ts'
export { mcpToolsFaults, tokenFaults } from './token-faults.ts'
