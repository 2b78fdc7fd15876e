/** Agents that run: their resolution from specs, and the runtime that holds them. */
export { type AgentPlan, planWith } from './agent-plan.ts'

export {
  type BuilderOptions,
  type RuntimeBuilder,
  runtimeBuilder,
} from './builder.ts'
export type { CompactOptions } from './compact.ts'
export { createRuntime } from './create-runtime.ts'
export { type Declared, type DeclaredRuntime, declaredRuntime } from './declared.ts'
export { explained, maskedSpec } from './explained.ts'
export { firstRequests } from './first-requests.ts'
export { type KnownIds, knownIds } from './known-ids.ts'
export { modelFaults } from './model-faults.ts'
export type { RemoteSource } from './remote-agents.ts'
export type { AgentWarning, LimitSource, ResolvedAgent, ResolvedLimit } from './resolved-agent.ts'
export { dryRunPlan, orderedPlan, runPlan } from './run-plan.ts'
export { warningText } from './run-warnings.ts'
export { AgentRuntime } from './runtime.ts'
export type { AgentFault, AgentRunOptions, RuntimeOptions } from './runtime-options.ts'
export type { RuntimeTool } from './runtime-tools.ts'
export { PROMPT_CACHE } from './trials.ts'
