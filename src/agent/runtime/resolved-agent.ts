import type { ConfigLayer, Resolution, ToolReason } from '@braidwork/core'
import type { InventoryTool, ModelInfo } from '@braidwork/plugin'
import type { CatalogTool } from '../catalog/index.ts'
import type { HookTool } from '../environment-hooks/index.ts'
import type { RetrySection } from '../retry/index.ts'
import type { Routing } from '../routing.ts'
import type { AgentSpec, ModelSpec } from '../specs/index.ts'

/** Something in a spec that works, but is probably not meant. It never blocks a run. AW-37 */
export interface AgentWarning {
  readonly code: string
  /** The id of the agent. */
  readonly agent: string
  /** The field of the spec, such as `allowed_tools`. */
  readonly field: string
  /** The entry of the field. */
  readonly entry: string
  readonly message: string
}

/** Where a value of an agent comes from. */
export type LimitSource = 'agent' | 'model' | 'config' | 'default'

/** A limit of an agent's runs, and where it comes from. */
export interface ResolvedLimit {
  readonly value: number
  readonly source: LimitSource
}

/**
 * An agent that can run: its spec with everything to which the spec refers. It is frozen, and made anew for each run.
 * AW-01, AW-02
 */
export interface ResolvedAgent {
  readonly spec: AgentSpec
  /** The model that a run asks first. Absent if the agent uses the model of the host's config. */
  readonly model?: ModelSpec
  /** The layer over the host's config with which the agent runs. */
  readonly config: ConfigLayer
  /** The plugins, with the reason why each is on or off. */
  readonly resolution: Resolution
  /** The facts about the model: those of its spec over those of the provider. */
  readonly modelInfo: ModelInfo
  /** The models that a run may ask, in order, and those of the pool that it may not, with the reasons. LR-09 */
  readonly routing: Routing
  /** Every registered tool, with the reason why the agent is not offered it. */
  readonly tools: readonly InventoryTool[]
  /** Those of them that environment hooks offer. */
  readonly hookTools: readonly HookTool[]
  /** The section `retry`. Absent if the provider's own retries stand. AW-21 */
  readonly retry?: RetrySection
  readonly limits: { readonly max_rounds: ResolvedLimit }
  readonly warnings: readonly AgentWarning[]
  /** Says why the catalog leaves out a tool. Undefined if the agent is offered it. AW-11 */
  readonly reasonAgainst: (tool: CatalogTool) => string | ToolReason | undefined
}
