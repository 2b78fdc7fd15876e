import type { Host } from '@braidwork/core'
import type { HostError } from '@braidwork/plugin'
import type { BackendFactory } from '../backends/index.ts'
import type { AgentEnvironment, EnvironmentHook } from '../environment-hooks/index.ts'
import type { AgentSpec, ModelPool, ModelSpec } from '../specs/index.ts'
import type { PlanOptions } from './agent-plan.ts'
import type { ResolvedAgent } from './resolved-agent.ts'

/** What a runtime is made of. */
export interface RuntimeOptions {
  readonly host: Host
  readonly agents?: readonly AgentSpec[]
  /** Models, and pools of them. */
  readonly models?: readonly (ModelSpec | ModelPool)[]
  /**
   * Says why no agent is offered a tool, whatever its catalog, as a text or with a code too. By default the catalogs alone
   * decide.
   */
  readonly reasonAgainst?: ResolvedAgent['reasonAgainst']
  /** The default is the system's clock, timers and ids, and no working directory. */
  readonly environment?: AgentEnvironment
  /** What the program offers to its agents, in the order of registration. */
  readonly hooks?: readonly EnvironmentHook[]
  /** How agents are run that have an `endpoint`, such as `a2aBackend()` of `@braidwork/a2a`. The default is none. */
  readonly backends?: readonly BackendFactory[]
}

/** The options of an agent's run: those that its spec does not decide. */
export interface AgentRunOptions extends PlanOptions {
  /** Who writes to the agent. The calls of environment hooks carry it. CT-07 */
  readonly sender?: string
}

/** An agent that cannot run, and why. */
export interface AgentFault {
  readonly agent: string
  readonly error: HostError
}
