export { configCheckCommand } from './config-check.ts'
export { agentSchemaCommand, configSchemaCommand } from './config-schema.ts'
export { type ConfigShowOptions, configShowCommand } from './config-show.ts'
