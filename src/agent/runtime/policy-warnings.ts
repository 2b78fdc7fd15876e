import { didYouMean } from '@braidwork/core/internal'
import type { InventoryTool } from '@braidwork/plugin'
import type { CatalogTool } from '../catalog/index.ts'
import { permissionRules } from '../sections/index.ts'
import type { AgentSpec } from '../specs/index.ts'
import type { AgentWarning, ResolvedAgent } from './resolved-agent.ts'

/** The tools that the policies of a spec are checked against. */
export interface PolicySurroundings {
  /** All registered tools, and the plugins whose tools are not known. */
  readonly inventory: readonly InventoryTool[]
  readonly tools: readonly CatalogTool[]
  readonly reasonAgainst: ResolvedAgent['reasonAgainst']
}

/** Warns of policies of a spec that restrict nothing: the tool that is meant runs as if there were none. AW-36 */
export function policyWarnings(
  spec: AgentSpec,
  { inventory, tools, reasonAgainst }: PolicySurroundings,
): readonly AgentWarning[] {
  const names = tools.flatMap(({ name, id }) => [name, id])
  const withheld = tools.filter(reasonAgainst).flatMap(({ name, id }) => [name, id])
  const isOpen = (entry: string) => isOfUnknown(entry, inventory)
  return policiesOf(spec).flatMap(({ field, entry, place }): readonly AgentWarning[] => {
    const found = { agent: spec.id, field, entry }
    if (withheld.includes(entry)) {
      if (field !== 'sections') return []
      const message = `${place} has a rule for "${entry}", but the catalog leaves that tool out.`
      return [{ ...found, code: 'PERMISSION_UNUSED', message }]
    }
    if (names.includes(entry) || isOpen(entry)) return []
    const message = `${place} has a rule for "${entry}", but no registered tool has that name, so the rule does nothing.${hint(entry, names)}`
    return [{ ...found, code: 'POLICY_UNUSED', message }]
  })
}

function policiesOf({ sections, config }: AgentSpec) {
  const rules = permissionRules(sections).map(({ tool: entry }) => ({
    field: 'sections',
    entry,
    place: 'The section "permission"',
  }))
  const own = Object.keys(config?.tool_policy ?? {}).map((entry) => ({
    field: 'config',
    entry,
    place: 'The "tool_policy" of its config',
  }))
  return [...rules, ...own]
}

/** Whether an entry names a tool of a plugin that is off, whose tools are not known. */
function isOfUnknown(entry: string, inventory: readonly InventoryTool[]): boolean {
  return inventory.some(
    ({ input_schema, plugin }) =>
      input_schema === undefined && plugin !== undefined && entry.startsWith(`${plugin}.`),
  )
}

function hint(entry: string, names: readonly string[]): string {
  if (entry.includes('*')) return ' "*" is an ordinary character here: give each tool a rule.'
  return didYouMean(entry, names)
}
