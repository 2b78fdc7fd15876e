import { randomUUID } from 'node:crypto'
import { prepare, prepareTools } from '../chain/prepare.ts'
import { type ChainRequest, createTurn } from '../chain/request.ts'
import { HostError } from '../errors.ts'
import { type Message, type MessagesInput, toMessages } from '../events/index.ts'
import {
  type AnyPlugin,
  bindHook,
  type Config,
  limitsOf,
  type ModelInfo,
  type ToolSchema,
} from '../plugin/internal.ts'
import type { Resolved } from '../resolve/index.ts'
import { checkSettings } from '../schema/check-config.ts'
import type { CallerTool } from '../schema/offered-tools.ts'
import { didYouMean } from '../suggest.ts'
import { AnswerMask } from './answer-mask.ts'
import { checkHistory } from './check-history.ts'
import { hostContexts } from './contexts.ts'
import { configFor, type HostCore, maskErrors, resolveFor } from './core.ts'
import { modelInfoOf } from './model-info.ts'
import type { OpenRequest, RequestOptions } from './request.ts'

/** What a request that is not sent may bring beside config and messages. */
export type DryRunOptions = Pick<RequestOptions, 'tools' | 'conversationId'>

/** A tool schema with the plugin that it comes from. */
export interface PluginTool extends ToolSchema {
  readonly plugin: string
  /** Its name in the plugin, where the model sees another. */
  readonly ownName?: string
}

export async function toolSchemas(core: HostCore, config: Config): Promise<readonly PluginTool[]> {
  return offeredTools(core, await resolveFor(core, config))
}

/** The tools of a resolution. */
export async function offeredTools(
  core: HostCore,
  resolved: Resolved,
): Promise<readonly PluginTool[]> {
  const offered = await scoped(async (scope) => {
    const request = await plainRequest(core, resolved, { messages: [], scope })
    return maskErrors(core, resolved.config, prepareTools(createTurn(request)))
  })
  return offered.map(({ plugin, name, ownName, schema }) => ({
    plugin: plugin?.name ?? '',
    ...schema,
    ...(name === ownName ? {} : { ownName }),
  }))
}

/** What opening the tools of a config takes beside it. */
export interface OpenToolsOptions {
  readonly tools?: readonly CallerTool[] | undefined
  readonly conversationId?: string | undefined
  readonly runId?: string | undefined
  /** Aborts when the tools are done with. */
  readonly scope: AbortSignal
}

/** The tools on offer, ready to be run, without asking the model for anything. */
export async function openTools(
  core: HostCore,
  layer: unknown,
  { tools = [], ...ids }: OpenToolsOptions,
): Promise<OpenRequest> {
  const resolved = await resolveFor(core, configFor(core, layer))
  const request = await plainRequest(core, resolved, { messages: [], tools, ...ids })
  const offered = await maskErrors(core, resolved.config, prepareTools(createTurn(request)))
  const { contextOf } = request
  return { resolved, contextOf, outcome: { finals: [], native: null, state: {}, tools: offered } }
}

/** Runs a door; what plugins keep elsewhere for it goes when it is done. */
export async function scoped<T>(act: (scope: AbortSignal) => Promise<T>): Promise<T> {
  const scope = new AbortController()
  try {
    return await act(scope.signal)
  } finally {
    // A reason of its own: the default one would take a stack trace for nobody.
    scope.abort('it is done')
  }
}

export async function dryRun(
  core: HostCore,
  config: Config,
  input: MessagesInput,
  { tools = [], conversationId }: DryRunOptions,
) {
  const messages = toMessages(input)
  return scoped(async (scope) => {
    const ids = { requestId: randomUUID(), conversationId, scope }
    const resolved = await resolveFor(core, config)
    const request = await plainRequest(core, resolved, { messages, tools, ...ids })
    const { native, state } = await maskErrors(core, config, prepare(createTurn(request)))
    return { native, state }
  })
}

export async function refreshModels(core: HostCore, given: Config): Promise<readonly string[]> {
  const resolved = await resolveFor(core, given)
  const { plugins, config } = resolved
  const models = await scoped(async (scope) => {
    // The model's facts are not asked for: what is known of models is what this renews.
    const run = bindFor('refreshModels', plugins.provider, { core, resolved, modelInfo: {}, scope })
    const view = core.secrets.viewOf(config, plugins.provider.name)
    return run && maskErrors(core, config, Promise.resolve(run(view)))
  })
  if (!models) return resolved.resolution.models
  // A list too may say a key that the API was sent.
  const mask = new AnswerMask(core.secrets.echoes(config))
  const listed = [...new Set(mask.value(models))]
  core.models.set(config, plugins.provider.name, listed)
  return listed
}

export async function modelInfo(core: HostCore, config: Config, id?: string): Promise<ModelInfo> {
  const resolved = await resolveFor(core, config)
  return maskErrors(core, config, modelInfoOf(core, resolved, id))
}

export interface Action {
  readonly plugin: string
  readonly id: string
  readonly input: unknown
  readonly conversationId?: string
  readonly signal?: AbortSignal
}

/** @throws {HostError} PLUGIN_UNKNOWN, PLUGIN_OFF, SETTINGS_INVALID, and what the action throws */
export async function runAction(core: HostCore, given: Config, action: Action): Promise<unknown> {
  const resolved = await resolveFor(core, given)
  const plugin = enabledPlugin(core, resolved, action.plugin)
  await checkSettings(resolved.config, [plugin])
  const modelInfo = await maskErrors(core, resolved.config, modelInfoOf(core, resolved))
  return scoped(async (scope) => {
    const run = bindFor('runAction', plugin, { ...action, core, resolved, modelInfo, scope })
    if (!run) {
      throw new HostError('PLUGIN_UNKNOWN', `Plugin "${plugin.name}" has no actions.`, {
        plugin: plugin.name,
      })
    }
    return maskErrors(core, resolved.config, Promise.resolve(run(action.id, action.input)))
  })
}

function enabledPlugin(core: HostCore, resolved: Resolved, name: string): AnyPlugin {
  const { extensions, features } = resolved.plugins
  const plugin = [...extensions, ...features].find((candidate) => candidate.name === name)
  if (plugin) return plugin
  const names = core.registry.plugins.map((candidate) => candidate.name)
  if (names.includes(name)) {
    throw new HostError(
      'PLUGIN_OFF',
      `Plugin "${name}" is off for this config, or has no actions; "explain" says why.`,
      {
        plugin: name,
      },
    )
  }
  throw new HostError(
    'PLUGIN_UNKNOWN',
    `No plugin "${name}" is registered.${didYouMean(name, names)}`,
  )
}

interface Door {
  readonly core: HostCore
  readonly resolved: Resolved
  readonly modelInfo: ModelInfo
  readonly scope: AbortSignal
  readonly requestId?: string
  readonly conversationId?: string
  readonly signal?: AbortSignal
}

/** A hook of the settings side, bound with a context of its own. */
export function bindFor<H extends 'refreshModels' | 'runAction' | 'getUiElements'>(
  hook: H,
  plugin: AnyPlugin,
  door: Door,
) {
  const { core, resolved, scope, signal = core.closing } = door
  const context = hostContexts({ ...door, signal, scope: () => scope })(plugin.name, 'settings')
  const limits = limitsOf(resolved.config)
  return bindHook({ plugin, phase: 'settings', limits, signal, context }, hook)
}

interface PlainInput {
  readonly messages: readonly Message[]
  readonly scope: AbortSignal
  readonly tools?: readonly CallerTool[]
  readonly requestId?: string
  readonly conversationId?: string | undefined
  readonly runId?: string | undefined
}

/** A chain request that goes no further than its preparation. */
async function plainRequest(
  core: HostCore,
  resolved: Resolved,
  { messages, tools = [], scope, ...ids }: PlainInput,
): Promise<ChainRequest & Pick<OpenRequest, 'contextOf'>> {
  const { plugins, config } = resolved
  checkHistory(messages, resolved)
  const on = [plugins.provider, ...plugins.extensions, ...plugins.features, ...plugins.tools]
  await checkSettings(config, on)
  const modelInfo = await maskErrors(core, config, modelInfoOf(core, resolved))
  return {
    plugins,
    config,
    messages,
    tools,
    signal: core.closing,
    contextOf: hostContexts({
      core,
      resolved,
      modelInfo,
      signal: core.closing,
      scope: () => scope,
      ...ids,
    }),
    configOf: (plugin) => core.secrets.viewOf(config, plugin),
    partials: 'events',
  }
}
