import { didYouMean } from '@braidwork/core/internal'
import type { InventoryTool } from '@braidwork/plugin'
import { type CatalogTool, catalogWarnings } from '../catalog/index.ts'
import type { RunObserver } from '../run-record.ts'
import type { AgentSpec } from '../specs/index.ts'
import { policyWarnings } from './policy-warnings.ts'
import type { AgentWarning, ResolvedAgent } from './resolved-agent.ts'
import { type StopSurroundings, stopWarnings } from './stop-warnings.ts'
import { unknownTools } from './unknown-tools.ts'
import { withheldAskers } from './withheld-askers.ts'

/** What the entries of a spec are checked against. */
interface ToolSurroundings extends Pick<ResolvedAgent, 'reasonAgainst'> {
  readonly inventory: readonly InventoryTool[]
  /** The tools that the agent has as a member of teams. */
  readonly asMember: readonly CatalogTool[]
  /** The models whose prices a budget needs. */
  readonly models: StopSurroundings['models']
}

/** Warns of entries of a spec that do nothing with the tools that there are. AW-36, AW-37 */
export function toolWarnings(
  spec: AgentSpec,
  { inventory, asMember, models, reasonAgainst }: ToolSurroundings,
): readonly AgentWarning[] {
  const registered = inventory.filter(isTool).map(catalogTool)
  const tools = [...registered, ...asMember]
  const { id: agent } = spec
  return [
    ...withheldAskers(spec, inventory),
    ...stopWarnings(spec, { models, tools: registered.map(({ name }) => name) }),
    ...policyWarnings(spec, { inventory, tools, reasonAgainst }),
    ...catalogWarnings(spec, tools, unknownTools(inventory)).map((one) => ({ ...one, agent })),
  ]
}

/**
 * The warnings of a run about the spec of its agent. Of prices, of agents that are left out and of misspelled keys of a
 * policy, the run warns anyway.
 */
export function runWarnings(
  spec: AgentSpec,
  surroundings: Omit<ToolSurroundings, 'models'>,
): readonly AgentWarning[] {
  const names = surroundings.inventory.filter(isTool).map(({ tool_name: name }) => name)
  const isTold = ({ code, field, entry }: AgentWarning) =>
    code === 'POLICY_UNUSED' &&
    field === 'config' &&
    (entry.includes('*') || didYouMean(entry, names) !== '')
  return toolWarnings(spec, { ...surroundings, models: [] }).filter((one) => !isTold(one))
}

/** A warning about a spec as one text. */
export function warningText({ agent, field, message }: AgentWarning): string {
  return `Agent "${agent}", ${field}: ${message}`
}

/**
 * Tells a run what is probably not meant in the spec of its agent, once its tools are known.
 * @param onEvent another observer of the run
 */
export function warnedBy(
  {
    warnings,
  }: { readonly warnings?: (tools: readonly InventoryTool[]) => readonly AgentWarning[] },
  { onEvent }: { readonly onEvent?: RunObserver | undefined },
): { readonly onEvent?: RunObserver | undefined } {
  if (!warnings) return { onEvent }
  let isTold = false
  const own: RunObserver = (event, warn) => {
    // A run without tools tells no inventory.
    if (!isTold && (event.type === 'tool-inventory' || event.type === 'step-start')) {
      isTold = true
      const found = warnings(event.type === 'tool-inventory' ? event.tools : [])
      for (const one of found) warn(warningText(one))
    }
    onEvent?.(event, warn)
  }
  return { onEvent: own }
}

/** Whether an entry of an inventory is a tool: of a plugin that is off, the tools are not known. */
function isTool({ input_schema }: InventoryTool): boolean {
  return input_schema !== undefined
}

function catalogTool({ tool_name: name, metadata_ref: id }: InventoryTool): CatalogTool {
  return { name, id }
}
