import type { Config, State } from '@braidwork/plugin'
import type { AnyPlugin } from '@braidwork/plugin/internal'
import { checkAnswered } from '../answered-messages.ts'
import { askValue } from '../hooks/index.ts'
import { turnFor } from '../pace.ts'
import { checkRequestHeaders } from '../request-headers.ts'
import {
  answeredFormat,
  isOffered,
  lowerTools,
  modelSchemas,
  type OfferedTool,
  offerTools,
  type ToolSchemaFormat,
  type ToolSource,
} from '../tool-schemas/index.ts'
import { type Bound, frameOf, hooksOf, placeOf, providerHook, throughFollowers } from './request.ts'

/** A request, ready to be sent. */
export interface Prepared {
  readonly native: unknown
  readonly state: State
  readonly tools: readonly OfferedTool[]
}

/** The phase before I/O: tool schemas, `init`, `editMessages`, `toNative`, `initializeRequest`. CL-30 to CL-34 */
export async function prepare(bound: Bound): Promise<Prepared> {
  const tools = (bound.request.offered ?? (await prepareTools(bound))).filter(isOffered)
  await turnFor([], bound.request.tools)
  const state = await initState(bound, tools)
  const messages = await editMessages(bound, state)
  const native = await toNative(bound, messages, state)
  return { ...(await initializeRequest(bound, native, state)), tools }
}

const NO_STATE: State = Object.freeze({})

/** Determines the tools, each with its own state, and converts the schemas of those on offer. CL-30, CL-46 */
export async function prepareTools(bound: Bound): Promise<readonly OfferedTool[]> {
  const { plugins, tools, hostTools, config } = bound.request
  const states = new Map<AnyPlugin, State>()
  // CL-30, CL-31: the state of each tool comes first, from the config without tools.
  for (const { plugin, run } of hooksOf(bound, plugins.tools, 'init', 'prepare')) {
    states.set(plugin, await run(bound.configOf(plugin.name)))
  }
  const sources: ToolSource[] = []
  for (const { plugin, run } of hooksOf(bound, plugins.tools, 'getToolSchemas', 'prepare')) {
    const state = states.get(plugin) ?? NO_STATE
    sources.push({ plugin, state, schemas: await run(state) })
  }
  return lowerOffered(bound, offerTools(sources, tools, config, hostTools))
}

/** Converts the schemas of the tools that are on offer now. */
export async function lowerOffered(
  bound: Bound,
  offered: readonly OfferedTool[],
): Promise<readonly OfferedTool[]> {
  const format = offered.some(isOffered) ? await formatOf(bound) : undefined
  return format === undefined ? offered : lowerTools(offered, format)
}

/** The format of tool schemas that the provider names for this config, if it names one. */
async function formatOf(bound: Bound): Promise<ToolSchemaFormat | undefined> {
  const { provider } = bound.request.plugins
  const frame = frameOf(bound, provider, 'prepare')
  const said = await askValue(frame, 'toolSchemaFormat', bound.configOf(provider.name))
  return answeredFormat(said, provider.name)
}

async function initState(bound: Bound, tools: readonly OfferedTool[]): Promise<State> {
  const schemas = modelSchemas(tools)
  const { provider } = bound.request.plugins
  const configOf = (plugin: AnyPlugin): Config => ({
    ...bound.configOf(plugin.name),
    tools: schemas,
  })
  const start = (await providerHook(bound, 'init', 'prepare')?.(configOf(provider))) ?? NO_STATE
  const init = { hook: 'init', phase: 'prepare', start } as const
  checkRequestHeaders(start, placeOf(frameOf(bound, provider, 'prepare'), 'init'))
  return throughFollowers<'init', State>(bound, init, async (before, { plugin, frame, run }) => {
    const state = await run(configOf(plugin), before)
    checkRequestHeaders(state, placeOf(frame, 'init'))
    return state
  })
}

async function editMessages(bound: Bound, state: State): Promise<readonly unknown[]> {
  const edit = { hook: 'editMessages', phase: 'prepare', start: bound.request.messages } as const
  const isHosted = bound.request.partials === 'events'
  return throughFollowers(bound, edit, async (messages, { frame, run }) => {
    await turnFor(messages)
    const edited = await run(messages, state)
    if (isHosted) checkAnswered(edited, messages, placeOf(frame, 'editMessages'))
    return edited
  })
}

async function toNative(bound: Bound, core: readonly unknown[], state: State): Promise<unknown> {
  const { tools } = bound.request
  await turnFor(core, tools)
  const toOwn = providerHook(bound, 'toNative', 'prepare')
  const start: unknown = toOwn ? await toOwn(core, state) : core
  const change = { hook: 'toNative', phase: 'prepare', start } as const
  const native = await throughFollowers(bound, change, async (before, { run }) => {
    await turnFor(core)
    return run(core, before)
  })
  await turnFor(core, tools)
  return native
}

type NativeRequest = readonly [native: unknown, state: State]

async function initializeRequest(
  bound: Bound,
  given: unknown,
  givenState: State,
): Promise<{ native: unknown; state: State }> {
  const own = providerHook(bound, 'initializeRequest', 'prepare')
  const start: NativeRequest = own ? await own(given, givenState) : [given, givenState]
  const frame = frameOf(bound, bound.request.plugins.provider, 'prepare')
  checkRequestHeaders(start[1], placeOf(frame, 'initializeRequest'))
  const look = { hook: 'initializeRequest', phase: 'prepare', start } as const
  const [native, state] = await throughFollowers(bound, look, async (request, { frame, run }) => {
    await turnFor(bound.request.messages)
    const answer = await run(...request)
    checkRequestHeaders(answer[1], placeOf(frame, 'initializeRequest'))
    return answer
  })
  return { native, state }
}
