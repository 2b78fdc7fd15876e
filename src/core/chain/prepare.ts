import type { Config, State } from '@braidwork/plugin'
import type { AnyPlugin } from '@braidwork/plugin/internal'
import { askValue } from '../hooks/index.ts'
import { turnFor } from '../pace.ts'
import {
  lowerTools,
  modelSchemas,
  type OfferedTool,
  offerTools,
  TOOL_SCHEMA_FORMATS,
  type ToolSchemaFormat,
  type ToolSource,
} from '../tool-schemas/index.ts'
import { frameOf, hooksOf, providerHook, type Turn, throughFollowers } from './request.ts'

/** A request, ready to be sent. */
export interface Prepared {
  readonly native: unknown
  readonly state: State
  readonly tools: readonly OfferedTool[]
}

/** The phase before I/O: tool schemas, `init`, `editMessages`, `toNative`, `initializeRequest`. CL-30 to CL-34 */
export async function prepare(turn: Turn): Promise<Prepared> {
  const tools = turn.request.offered ?? (await prepareTools(turn))
  await turnFor([], turn.request.tools)
  const state = await initState(turn, tools)
  const messages = await editMessages(turn, state)
  const native = await toNative(turn, messages, state)
  return { ...(await initializeRequest(turn, native, state)), tools }
}

const NO_STATE: State = Object.freeze({})

/** Determines the tools on offer, each with its own state, and converts their schemas for the provider. CL-30, CL-46 */
export async function prepareTools(turn: Turn): Promise<readonly OfferedTool[]> {
  const { plugins, tools, config } = turn.request
  const states = new Map<AnyPlugin, State>()
  // CL-30, CL-31: the state of each tool comes first, from the config without tools.
  for (const { plugin, run } of hooksOf(turn, plugins.tools, 'init', 'prepare')) {
    states.set(plugin, await run(turn.configOf(plugin.name)))
  }
  const sources: ToolSource[] = []
  for (const { plugin, run } of hooksOf(turn, plugins.tools, 'getToolSchemas', 'prepare')) {
    const state = states.get(plugin) ?? NO_STATE
    sources.push({ plugin, state, schemas: await run(state) })
  }
  const offered = offerTools(sources, tools, config.tool_names)
  const format = offered.length > 0 ? await formatOf(turn) : undefined
  return format === undefined ? offered : lowerTools(offered, format)
}

/** The format of tool schemas that the provider names for this config, if it names one. */
async function formatOf(turn: Turn): Promise<ToolSchemaFormat | undefined> {
  const { provider } = turn.request.plugins
  const frame = frameOf(turn, provider, 'prepare')
  const said = await askValue(frame, 'toolSchemaFormat', turn.configOf(provider.name))
  return TOOL_SCHEMA_FORMATS.find((format) => format === said)
}

async function initState(turn: Turn, tools: readonly OfferedTool[]): Promise<State> {
  const schemas = modelSchemas(tools)
  const { provider } = turn.request.plugins
  const configOf = (plugin: AnyPlugin): Config => ({
    ...turn.configOf(plugin.name),
    tools: schemas,
  })
  const start = (await providerHook(turn, 'init', 'prepare')?.(configOf(provider))) ?? NO_STATE
  const init = { hook: 'init', phase: 'prepare', start } as const
  return throughFollowers<'init', State>(turn, init, (state, { plugin, run }) =>
    run(configOf(plugin), state),
  )
}

async function editMessages(turn: Turn, state: State): Promise<readonly unknown[]> {
  const edit = { hook: 'editMessages', phase: 'prepare', start: turn.request.messages } as const
  return throughFollowers(turn, edit, async (messages, { run }) => {
    await turnFor(messages)
    return run(messages, state)
  })
}

async function toNative(turn: Turn, messages: readonly unknown[], state: State): Promise<unknown> {
  const { tools } = turn.request
  await turnFor(messages, tools)
  const toOwn = providerHook(turn, 'toNative', 'prepare')
  const start: unknown = toOwn ? await toOwn(messages, state) : messages
  const change = { hook: 'toNative', phase: 'prepare', start } as const
  const native = await throughFollowers(turn, change, async (before, { run }) => {
    await turnFor(messages)
    return run(messages, before)
  })
  await turnFor(messages, tools)
  return native
}

type NativeRequest = readonly [native: unknown, state: State]

async function initializeRequest(
  turn: Turn,
  given: unknown,
  givenState: State,
): Promise<{ native: unknown; state: State }> {
  const own = providerHook(turn, 'initializeRequest', 'prepare')
  const start: NativeRequest = own ? await own(given, givenState) : [given, givenState]
  const look = { hook: 'initializeRequest', phase: 'prepare', start } as const
  const [native, state] = await throughFollowers(turn, look, async (request, { run }) => {
    await turnFor(turn.request.messages)
    return run(...request)
  })
  return { native, state }
}
