/** Agents that run: their resolution from specs, and the runtime that holds them. */

export type { AgentRunOptions } from './agent-run.ts'
export { type Declared, type DeclaredRuntime, declaredRuntime } from './declared.ts'
export type { AgentWarning, LimitSource, ResolvedAgent, ResolvedLimit } from './resolved-agent.ts'
export {
  type AgentFault,
  AgentRuntime,
  createRuntime,
  type RuntimeOptions,
} from './runtime.ts'
