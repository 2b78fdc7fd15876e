/** Agents and models as data: what a spec may say, its checks, and the files that hold agents. */

export { type AgentFiles, agentsIn, idOfFile, readAgentFiles } from './agent-files.ts'
export {
  AGENT_SPEC_SCHEMA,
  type AgentSpec,
  type ContextPolicy,
  OWNED_KEYS,
  SPEC_ID,
} from './agent-spec.ts'
export { agentText } from './agent-text.ts'
export {
  agentFaults,
  checkAgentSpec,
  checkModelPool,
  checkModelSpec,
  modelFaults,
  throwFaults,
} from './check-specs.ts'
export { type AgentEndpoint, MASKED_TOKEN, REMOTE_TIMEOUT } from './endpoint.ts'
export {
  isPool,
  MODEL_POOL_SCHEMA,
  type ModelPool,
  type PooledModel,
  type PoolRequirements,
  pooledModels,
} from './model-pool.ts'
export { MODEL_SPEC_SCHEMA, type ModelSpec, modelInfoOf } from './model-spec.ts'
export { AS_WRITTEN, referringParts } from './references.ts'
export { membersOf, type TeamMember, type TeamSpec } from './team-spec.ts'
