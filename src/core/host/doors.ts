import {
  type Config,
  HostError,
  type InventoryTool,
  type MessagesInput,
  type ModelInfo,
} from '@braidwork/plugin'
import { type AnyPlugin, limitsOf, messageOf } from '@braidwork/plugin/internal'
import type { ConfigLayer } from '../config/index.ts'
import { bindHook } from '../hooks/index.ts'
import { sourcesClosed } from '../open-sources.ts'
import type { Resolved } from '../resolve/index.ts'
import { memoryResults } from '../results/index.ts'
import { didYouMean } from '../suggest.ts'
import { AnswerMask } from './answer-mask.ts'
import { bindFor, scoped } from './ask-plugin.ts'
import { type HostCore, maskErrors, maskedLog, resolveFor } from './core.ts'
import { modelInfoOf } from './model-info.ts'
import type { DryRunFor, NativeRequestOptions } from './native-request.ts'
import { openConfig } from './open-config.ts'
import type { Opening, OpenOptions } from './open-options.ts'
import type { OpenedConfig } from './opened-config.ts'
import { assertOptionKinds, BOOLEAN, ELSEWHERE, ID, type Kind } from './option-kinds.ts'
import { newRequestId } from './request.ts'
import { checkGiven } from './settings/added-settings.ts'
import { checkAction } from './settings/check-action.ts'
import { type PluginTool, shownTools } from './tools/shown-tools.ts'

/** Options of `dryRun`. */
export type DryRunOptions = Pick<OpenOptions, 'tools' | 'conversationId'> &
  Pick<NativeRequestOptions, 'steps'>

/** The tools on offer for a config, as `host.toolSchemas` returns them. */
export function toolSchemas(core: HostCore, config: Config): Promise<readonly PluginTool[]> {
  return withOpened(core, config, {}, async (opened) => shownTools(await opened.offer()))
}

/** Lists every registered tool for a config, offered or not, with the reason. */
export function toolInventory(core: HostCore, config: Config): Promise<readonly InventoryTool[]> {
  return withOpened(core, config, { results: memoryResults() }, async (opened) => {
    await opened.offer()
    return opened.inventory
  })
}

/** Opens a config for the time that a function needs it. */
export async function withOpened<T>(
  core: HostCore,
  config: Config,
  opening: Partial<Opening>,
  act: (opened: OpenedConfig) => Promise<T>,
): Promise<T> {
  const opened = await openConfig(core, config, { signal: core.closing.signal, ...opening })
  try {
    return await act(opened)
  } finally {
    opened.end()
  }
}

const DRY_RUN = { tools: ELSEWHERE, conversationId: ID, steps: BOOLEAN }

/** @throws {HostError} OPTION_INVALID */
export async function dryRun<O extends DryRunOptions>(
  core: HostCore,
  config: Config,
  messages: MessagesInput,
  options?: O,
): Promise<DryRunFor<O>> {
  const { steps = false, ...others }: DryRunOptions = options ?? {}
  assertOptionKinds('dryRun', options ?? {}, DRY_RUN)
  const opening = { ...others, requestId: newRequestId() }
  return withOpened(core, config, opening, (opened) =>
    opened.dryRun(messages, { steps } as { steps: boolean } & O),
  )
}

export async function refreshModels(core: HostCore, given: Config): Promise<readonly string[]> {
  const resolved = await resolveFor(core, given)
  const { plugins, config } = resolved
  const models = await scoped(core.closing, undefined, async (signals) => {
    // The hook gets no facts about the model, because it renews the list of models.
    const door = { core, resolved, modelInfo: {}, ...signals }
    const run = bindFor('refreshModels', plugins.provider, door)
    const view = core.secrets.viewOf(config, plugins.provider.name)
    return run && maskErrors(core, config, Promise.resolve(run(view)))
  })
  if (!models) return resolved.settled.models
  // A list of models, too, may echo the API key.
  const mask = new AnswerMask(core.secrets.echoes(config))
  const listed = [...new Set(mask.value(models))]
  core.models.set(config, plugins.provider.name, listed)
  return listed
}

export async function modelInfo(core: HostCore, config: Config, id?: string): Promise<ModelInfo> {
  const resolved = await resolveFor(core, config)
  return maskErrors(core, config, modelInfoOf(core, resolved, id))
}

/** Options of `host.runAction`. */
export interface ActionOptions {
  /** The conversation whose storage the action gets. Without it, the storage belongs to no conversation. */
  readonly conversationId?: string | undefined
  /** Cancels the action. */
  readonly signal?: AbortSignal | undefined
}

export type ActionArguments = [
  plugin: string,
  id: string,
  input: unknown,
  config?: ConfigLayer,
  options?: ActionOptions,
]

export interface Action extends ActionOptions {
  readonly plugin: string
  readonly id: string
  readonly input: unknown
}

const ACTION: { readonly [K in keyof ActionOptions]-?: Kind } = {
  conversationId: ID,
  signal: ELSEWHERE,
}

/** Runs an action. @throws {HostError} as `host.runAction` does */
export async function runAction(core: HostCore, given: Config, action: Action): Promise<unknown> {
  const { plugin: name, id: _, input: __, ...options } = action
  assertOptionKinds('runAction', options, ACTION)
  const resolved = await resolveFor(core, given)
  const plugin = enabledPlugin(core, resolved, name)
  await checkGiven(core, resolved, [plugin])
  await checkAction(core, resolved, plugin, action)
  const modelInfo = await maskErrors(core, resolved.config, modelInfoOf(core, resolved))
  return scoped(core.closing, action.signal, async (signals) => {
    const run = bindFor('runAction', plugin, { ...action, core, resolved, modelInfo, ...signals })
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
      `Plugin "${name}" is off for this config, or has no actions; call "explain" for the reason.`,
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

/** The most seconds that the cancelled streams of a plugin delay its `close`, below `limits.hook`. A stream may hang. */
const PATIENCE = 1

/**
 * Calls `close` of every plugin, when its cancelled streams have cleaned up, and then ends the interpreters that are
 * left. A plugin that fails is logged and stops no other.
 */
export async function closePlugins(core: HostCore): Promise<void> {
  const { registry, config } = core
  await registry.settled()
  const log = maskedLog(core, config)
  const limits = limitsOf(config)
  const closed = registry.plugins.map(async (plugin) => {
    await sourcesClosed(plugin, Math.min(limits.hook, PATIENCE))
    await bindHook({ plugin, phase: 'settings', limits }, 'close')?.()
  })
  const outcomes = await Promise.allSettled(closed)
  for (const outcome of [...outcomes, ...(await Promise.allSettled([core.python.close()]))]) {
    if (outcome.status === 'rejected') log({ level: 'error', message: messageOf(outcome.reason) })
  }
}
