import {
  type Config,
  HostError,
  isObject,
  type ModelTool,
  type RuntimeOwner,
  type State,
  type ToolPolicyDecision,
  type ToolSchema,
} from '@braidwork/plugin'
import type { AnyPlugin } from '@braidwork/plugin/internal'
import type { FormattedSchema } from './lowering.ts'
import { cleanName, UniqueNames } from './tool-names.ts'
import { policyOf } from './tool-policy.ts'
import type { ReasonFacts, ToolReason } from './tool-reason.ts'

/** A tool that the caller of a request provides. */
export interface CallerTool extends Omit<ToolSchema, 'unavailable' | 'runtime_owner'> {
  /** Runs a call. Without it, the client must run the calls. */
  readonly execute?: (
    input: unknown,
    context: { readonly signal: AbortSignal; readonly callId: string },
  ) => unknown
  /**
   * Whether the tool takes the place of a plugin's tool with the same name, whatever the policy of that one. By
   * default such a name is an error.
   */
  readonly replaces?: boolean
  /** False if calls need not follow the schema, where the provider makes tools strict by default. */
  readonly strict?: false
  /** Who offers the tool, for errors. The default is `the caller of the request`. */
  readonly source?: string
}

/** A tool of the host itself. Another tool with its name takes precedence. */
export interface HostTool extends CallerTool {
  readonly execute: NonNullable<CallerTool['execute']>
  /** Says why the tool is not offered now. Undefined if it is. */
  readonly unavailable: () => ToolReason | undefined
}

/** The tools and the state of one tool plugin. */
export interface ToolSource {
  readonly plugin: AnyPlugin
  readonly state: State
  readonly schemas: readonly unknown[]
}

/** A tool of a config, under the name that the model uses. The model is shown those that no policy denies. */
export interface OfferedTool {
  /** The name that the model uses. */
  readonly name: string
  /** The tool's own name. */
  readonly ownName: string
  readonly schema: ToolSchema & Pick<CallerTool, 'strict'>
  readonly policy: ToolPolicyDecision
  /** The schema in the provider's format. Absent if the provider names no format; it then gets `schema`. */
  readonly lowered?: FormattedSchema
  /** The plugin that runs the calls. Absent for a tool of the caller. */
  readonly plugin?: AnyPlugin
  readonly state?: State
  readonly execute?: CallerTool['execute']
  /** Why the model is not shown the tool, if its plugin or whoever opened the config withholds it. */
  readonly withheld?: string
  /** The same as a code with its values. Absent if the plugin withholds it. */
  readonly withheldFor?: ReasonFacts
  /** What runs the calls. The default is `local`. LR-02 */
  readonly owner?: RuntimeOwner
  /** Says why the model is not shown the tool now. Absent unless it is a tool of the host. */
  readonly unavailable?: HostTool['unavailable']
}

/** Whether the model is shown a tool. */
export function isOffered({
  policy,
  withheld,
  unavailable,
}: Pick<OfferedTool, 'policy' | 'withheld' | 'unavailable'>): boolean {
  return policy.decision !== 'deny' && withheld === undefined && unavailable?.() === undefined
}

/**
 * Lists the tools of a request in order, under names that every model API accepts, with those that a policy denies.
 * After renaming by `tool_names`, the tools' own names must differ. Names that become equal only through cleaning get
 * numbers. CL-30
 * @throws {HostError} TOOL_NAME_TAKEN, TOOL_SCHEMA_INVALID, OPTION_INVALID
 */
export function offerTools(
  sources: readonly ToolSource[],
  callerTools: readonly CallerTool[] = [],
  config: Pick<Config, 'tool_names' | 'tool_policy'> = {},
  hostTools: readonly HostTool[] = [],
): readonly OfferedTool[] {
  assertTools(callerTools)
  const isEmpty = callerTools.length + hostTools.length === 0
  if (isEmpty && sources.every(({ schemas }) => schemas.length === 0)) return []
  const owners = new Map<string, Unnamed>()
  const names = new UniqueNames()
  const offered: OfferedTool[] = []
  const replacing = new Set(callerTools.flatMap((tool) => (tool.replaces ? [tool.name] : [])))
  const replaced = new Set<string>()
  const add = (tool: Unnamed, wanted: string) => {
    const { ownName, plugin } = tool
    const name = names.of(wanted)
    const policies = replaced.has(name) ? {} : config
    const policy = policyOf(policies, { name, ownName, plugin: plugin?.name })
    const schema = namedSchema(tool.schema, name)
    // Tools differ in shape, and for those a spread, or more members, are far slower than `Object.assign` to a new object.
    offered.push(Object.assign({}, tool, { name, policy, schema }))
  }
  for (const tool of [...pluginTools(sources), ...callerTools.map(fromCaller)]) {
    const wanted = wantedName(tool, config)
    if (tool.plugin && replacing.size > 0 && replacing.has(cleanName(wanted))) {
      replaced.add(cleanName(wanted))
      continue
    }
    const other = owners.get(wanted)
    if (other !== undefined) throw nameTaken(wanted, other, tool)
    owners.set(wanted, tool)
    add(tool, wanted)
  }
  for (const tool of hostTools.map(fromHost)) {
    const wanted = wantedName(tool, config)
    const other = owners.get(wanted)
    const unavailable = other && (() => takenBy(ownerOf(other), wanted))
    add(unavailable ? { ...tool, unavailable } : tool, wanted)
  }
  return offered
}

/** The name that a config gives a tool, before it is cleaned. */
function wantedName(
  { ownName, plugin }: Pick<OfferedTool, 'ownName' | 'plugin'>,
  { tool_names: renames }: Pick<Config, 'tool_names'>,
): string {
  if (renames === undefined) return ownName
  const key = plugin ? `${plugin.name}.${ownName}` : ownName
  return Object.hasOwn(renames, key) ? (renames[key] ?? ownName) : ownName
}

/** The tools as the provider receives them: in its format, and without `safety`. */
export function modelSchemas(tools: readonly OfferedTool[]): readonly ModelTool[] {
  return tools.map(({ schema: { safety: _, ...schema }, lowered }) => loweredTool(schema, lowered))
}

/** A tool with its converted schema. */
export function loweredTool<T extends ToolSchema>(
  tool: T & { readonly strict?: unknown },
  lowered: FormattedSchema | undefined,
): T & { readonly strict?: boolean } {
  if (!lowered) return tool as T
  const { strict: _, ...own } = tool
  const { input_schema, strict } = lowered
  return { ...(own as unknown as T), input_schema, ...(strict === undefined ? {} : { strict }) }
}

type Unnamed = Omit<OfferedTool, 'name' | 'policy'> & Pick<CallerTool, 'source'>

function pluginTools(sources: readonly ToolSource[]): Unnamed[] {
  return sources.flatMap(({ plugin, state, schemas }) =>
    schemas.map((value, index) => {
      const schema = checkSchema(value, `/${index}`, plugin.name)
      const { unavailable, runtime_owner: owner } = schema
      const tool: Unnamed = { ownName: schema.name, schema, plugin, state }
      if (unavailable === undefined && owner === undefined) return tool
      return {
        ...tool,
        ...(owner ? { owner } : {}),
        ...(unavailable === undefined ? {} : { withheld: unavailable }),
      }
    }),
  )
}

/** A schema as it is shown, under the name that the model uses. */
function namedSchema(given: ToolSchema, name: string): ToolSchema {
  // Most tools have neither. To leave members out costs a second copy.
  if (!('unavailable' in given || 'runtime_owner' in given)) return { ...given, name }
  const { unavailable: _, runtime_owner: _owner, ...schema } = given
  return { ...schema, name }
}

/** AI SDK's tools are an object: one that is passed here must not look like a fault of a plugin. */
function assertTools(tools: unknown): void {
  if (Array.isArray(tools) && tools.every(isObject)) return
  const message = '"tools" must be a list of tools, each an object with its "name".'
  throw new HostError('OPTION_INVALID', message, { pointer: '/tools' })
}

function fromCaller(tool: CallerTool & Pick<ToolSchema, 'runtime_owner'>, index: number): Unnamed {
  const { execute, replaces: _, source, runtime_owner: owner, ...rest } = tool
  const schema = checkSchema(rest, `/tools/${index}`)
  const run = { ...(execute ? { execute } : {}), ...(owner ? { owner } : {}) }
  return { ownName: schema.name, schema, ...run, ...(source === undefined ? {} : { source }) }
}

function fromHost({ unavailable, execute, ...schema }: HostTool): Unnamed {
  return { ownName: schema.name, schema, execute, unavailable }
}

function takenBy(owner: string, name: string): ToolReason {
  const text = `Another tool has its name: "${name}" of ${owner}. Rename that one with "tool_names".`
  return { text, why: { code: 'TOOL_NAME_TAKEN', name } }
}

function checkSchema(value: unknown, pointer: string, plugin?: string): ToolSchema {
  const fault = schemaFault(value)
  if (fault === undefined) return value as ToolSchema
  const owner = plugin === undefined ? 'the caller of the request' : `tool "${plugin}"`
  throw new HostError('TOOL_SCHEMA_INVALID', `A tool schema of ${owner} ${fault}.`, {
    plugin,
    pointer,
  })
}

function schemaFault(value: unknown): string | undefined {
  if (!isObject(value)) return 'is not an object {name, description, input_schema}'
  if (typeof value['name'] !== 'string' || value['name'] === '') return 'has no "name"'
  if (value['description'] !== undefined && typeof value['description'] !== 'string') {
    return `"${value['name']}" has a "description" that is not a string`
  }
  if (value['unavailable'] !== undefined && typeof value['unavailable'] !== 'string') {
    return `"${value['name']}" has an "unavailable" that is not a string`
  }
  if (!isObject(value['input_schema'])) {
    return `"${value['name']}" has no "input_schema", the JSON Schema of its arguments`
  }
  return undefined
}

function nameTaken(name: string, first: Unnamed, second: Unnamed): HostError {
  const [owner, other] = [ownerOf(first), ownerOf(second)]
  // A config can only rename tools that have names of their own.
  const remedy =
    first.ownName === second.ownName
      ? 'Give each of them a name of its own.'
      : 'Rename one of them with "tool_names" in the config.'
  const message =
    owner === other
      ? `Two tools of ${owner} have the name "${name}". ${remedy}`
      : `A tool schema "${name}" comes from both ${owner} and ${other}. Disable one, or rename it with "tool_names" in the config.`
  return new HostError('TOOL_NAME_TAKEN', message, {
    plugin: second.plugin?.name,
    pointer: '/tool_names',
  })
}

function ownerOf({ plugin, source = 'the caller of the request' }: Unnamed): string {
  return plugin ? `tool "${plugin.name}"` : source
}
