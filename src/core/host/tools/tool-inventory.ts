import type { Config, Diagnostic, InventoryTool, ToolPolicyDecision } from '@braidwork/plugin'
import type { EnabledPlugins, Resolved, TraceEntry } from '../../resolve/index.ts'
import {
  isOffered,
  misspelledTools,
  type NamedTool,
  type OfferedTool,
  type ReasonFacts,
  type ToolReason,
  tellBroken,
} from '../../tool-schemas/index.ts'

/** Every registered tool, offered or not. */
export type Inventory = readonly InventoryTool[]

/** Asks `toolSchemas` for every registered tool. */
export interface InventoryOptions {
  readonly inventory: true
}

/**
 * The inventory of an opened config: its tools, then the tool plugins without tools, then those that do not act or are
 * off.
 * @param active the tool plugins that act
 */
export function inventoryOf(
  { plugins, toolsOff }: Resolved,
  active: EnabledPlugins['tools'],
  tools: readonly OfferedTool[],
): Inventory {
  const silent = plugins.tools.filter((plugin) => !active.includes(plugin))
  return [
    ...tools.map(inventoryTool),
    ...idlePlugins(active, tools).map((plugin) => unavailable(plugin, NO_TOOLS)),
    ...silent.map(({ name }) => unavailable(name, INACTIVE)),
    ...toolsOff.map((entry) => unavailable(entry.plugin, reasonOf(entry))),
  ]
}

const NO_TOOLS: ToolReason = {
  text: 'it is on, but offers no tool for this config',
  why: { code: 'TOOLS_MISSING' },
}
const INACTIVE: ToolReason = {
  text: 'its plugin is not among those that act',
  why: { code: 'PLUGIN_INACTIVE' },
}

/** The names of the tool plugins that are on and offer no tool. */
function idlePlugins(
  active: EnabledPlugins['tools'],
  tools: readonly OfferedTool[],
): readonly string[] {
  const offering = new Set(tools.map(({ plugin }) => plugin?.name))
  return active.map(({ name }) => name).filter((name) => !offering.has(name))
}

/** Receive warnings: whoever asks, and otherwise the log. */
interface Told {
  readonly warn: ((warning: string) => void) | undefined
  readonly log: (warning: string) => void
  readonly config: Config
}

/**
 * Tells of the tool plugins without tools, of tools that the config names wrong, and of the tools whose schemas are
 * broken. The last two also to the log.
 */
export async function tellFaults(
  active: EnabledPlugins['tools'],
  tools: readonly OfferedTool[],
  { warn, log, config }: Told,
): Promise<void> {
  tellIdle(active, tools, warn)
  if (config.tool_policy ?? config.tool_names) tellMisspelled(config, tools, warn ?? log)
  await tellBroken(tools, warn ?? log)
}

function tellMisspelled(
  config: Config,
  tools: readonly OfferedTool[],
  warn: (warning: string) => void,
): void {
  const named = tools.map(({ plugin, ...tool }) => ({ ...tool, plugin: plugin?.name }))
  for (const warning of misspelledTools(config, named)) warn(warning)
}

/** Tells of each tool plugin that is on and offers no tool. */
function tellIdle(
  active: EnabledPlugins['tools'],
  tools: readonly OfferedTool[],
  warn: ((warning: string) => void) | undefined,
): void {
  if (warn) for (const plugin of idlePlugins(active, tools)) warn(idleText(plugin))
}

/** Warns of the tool plugins of an inventory that are on and offer no tool. */
export function idleTools(inventory: readonly InventoryTool[]): readonly Diagnostic[] {
  return inventory
    .filter(({ why }) => why?.code === 'TOOLS_MISSING')
    .map(({ tool_name: plugin }) => ({
      code: 'TOOLS_MISSING',
      level: 'warning',
      plugin,
      message: idleText(plugin),
    }))
}

function idleText(plugin: string): string {
  return `Tool "${plugin}" is on, but offers no tool for this config. Complete its settings, or disable it.`
}

type Shown = { -readonly [K in keyof InventoryTool]: InventoryTool[K] }

const POLICIES = { allow: 'allowed', ask: 'ask', deny: 'denied' } as const

function inventoryTool(tool: OfferedTool): InventoryTool {
  const { name, ownName, plugin, schema, policy, owner = 'local' } = tool
  const missing = policy.decision === 'deny' ? undefined : missingBy(tool)
  const { description, input_schema, safety = {} } = schema
  // No spread here, which would make most of the cost: every run tells its tools.
  const shown: Shown = {
    tool_name: name,
    metadata_ref: plugin ? `${plugin.name}.${ownName}` : ownName,
    description,
    input_schema,
    capabilities: safety.capabilities ?? [safety.is_read_only === true ? 'read' : 'write'],
    safety,
    policy: missing === undefined ? POLICIES[policy.decision] : 'unavailable',
    runtime_owner: owner,
    offered: isOffered(tool),
  }
  if (plugin) shown.plugin = plugin.name
  const reason = missing ?? policyReason(policy)
  if (reason) shown.reason = reason.text
  if (reason?.why) shown.why = reason.why
  return shown
}

/** A reason that has no code where a plugin or a program gave it as a text. */
interface ShownReason {
  readonly text: string
  readonly why?: ReasonFacts | undefined
}

function missingBy({ withheld, withheldFor, unavailable }: OfferedTool): ShownReason | undefined {
  return withheld === undefined ? unavailable?.() : { text: withheld, why: withheldFor }
}

function policyReason({ decision, source, reason }: ToolPolicyDecision): ToolReason | undefined {
  if (decision === 'allow') return undefined
  const code = decision === 'ask' ? 'POLICY_ASKS' : 'POLICY_DENIES'
  return { text: reason, why: { code, pointer: source } }
}

function unavailable(plugin: string, { text, why }: ToolReason): InventoryTool {
  return {
    tool_name: plugin,
    plugin,
    metadata_ref: plugin,
    capabilities: [],
    safety: {},
    policy: 'unavailable',
    runtime_owner: 'local',
    offered: false,
    reason: text,
    why,
  }
}

/** The rule that turned a plugin off, in the words of `explain`. */
function reasonOf({ rule, missing, forbidden }: TraceEntry): ToolReason {
  const tags = rule === 'missing tags' ? missing : rule === 'forbidden tags' ? forbidden : []
  const text = tags.length > 0 ? `${rule}: ${tags.join(', ')}` : rule
  return { text, why: { code: 'PLUGIN_OFF', rule, tags } }
}

/** The tools of an inventory as policies name them. */
export function namedTools(inventory: readonly InventoryTool[]): readonly NamedTool[] {
  return inventory
    .filter(({ input_schema: schema }) => schema !== undefined)
    .map(({ tool_name: name, plugin, metadata_ref }) => ({
      name,
      plugin,
      ownName: plugin === undefined ? metadata_ref : metadata_ref.slice(plugin.length + 1),
    }))
}
