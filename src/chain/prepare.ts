import { turnFor } from '../pace.ts'
import type { AnyPlugin, Config, State } from '../plugin/internal.ts'
import {
  modelSchemas,
  type OfferedTool,
  offerTools,
  type ToolSource,
} from '../schema/offered-tools.ts'
import { followers, hooksOf, providerHook, type Turn } from './request.ts'

/** A request ready to be sent. */
export interface Prepared {
  readonly native: unknown
  readonly state: State
  readonly tools: readonly OfferedTool[]
}

/** Everything before I/O: tool schemas, init, core to core, core to native, the last look. CL-30 to CL-34 */
export async function prepare(turn: Turn): Promise<Prepared> {
  const tools = turn.request.offered ?? (await prepareTools(turn))
  await turnFor([], turn.request.tools)
  const state = await initState(turn, tools)
  const messages = await editMessages(turn, state)
  const native = await toNative(turn, messages, state)
  return { ...(await initializeRequest(turn, native, state)), tools }
}

const NO_STATE: State = Object.freeze({})

/** The tools on offer, each with its own state. CL-30 */
export async function prepareTools(turn: Turn): Promise<readonly OfferedTool[]> {
  const { plugins, tools, config } = turn.request
  const states = new Map<AnyPlugin, State>()
  // CL-30, CL-31: each tool's own state first, from the config without tools.
  for (const { plugin, run } of hooksOf(turn, plugins.tools, 'init', 'prepare')) {
    states.set(plugin, await run(turn.configOf(plugin.name)))
  }
  const sources: ToolSource[] = []
  for (const { plugin, run } of hooksOf(turn, plugins.tools, 'getToolSchemas', 'prepare')) {
    const state = states.get(plugin) ?? NO_STATE
    sources.push({ plugin, state, schemas: await run(state) })
  }
  return offerTools(sources, tools, config.tool_names)
}

async function initState(turn: Turn, tools: readonly OfferedTool[]): Promise<State> {
  const schemas = modelSchemas(tools)
  const { provider } = turn.request.plugins
  const configOf = (plugin: AnyPlugin): Config => ({
    ...turn.configOf(plugin.name),
    tools: schemas,
  })
  let state = (await providerHook(turn, 'init', 'prepare')?.(configOf(provider))) ?? NO_STATE
  for (const { plugin, run } of hooksOf(turn, followers(turn), 'init', 'prepare')) {
    state = await run(configOf(plugin), state)
  }
  return state
}

async function editMessages(turn: Turn, state: State): Promise<readonly unknown[]> {
  let messages = turn.request.messages
  for (const { run } of hooksOf(turn, followers(turn), 'editMessages', 'prepare')) {
    await turnFor(messages)
    messages = await run(messages, state)
  }
  return messages
}

async function toNative(turn: Turn, messages: readonly unknown[], state: State): Promise<unknown> {
  const { tools } = turn.request
  await turnFor(messages, tools)
  const toOwn = providerHook(turn, 'toNative', 'prepare')
  let native: unknown = toOwn ? await toOwn(messages, state) : messages
  for (const { run } of hooksOf(turn, followers(turn), 'toNative', 'prepare')) {
    await turnFor(messages)
    native = await run(messages, native)
  }
  await turnFor(messages, tools)
  return native
}

async function initializeRequest(
  turn: Turn,
  given: unknown,
  givenState: State,
): Promise<{ native: unknown; state: State }> {
  const own = providerHook(turn, 'initializeRequest', 'prepare')
  let [native, state] = own ? await own(given, givenState) : [given, givenState]
  for (const { run } of hooksOf(turn, followers(turn), 'initializeRequest', 'prepare')) {
    await turnFor(turn.request.messages)
    ;[native, state] = await run(native, state)
  }
  return { native, state }
}
