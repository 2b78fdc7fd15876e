import type { ActionContext, Config, HookName, Limits, Phase } from '@braidwork/plugin'
import {
  type AnyPlugin,
  type ContextOf,
  createContexts,
  limitsOf,
} from '@braidwork/plugin/internal'
import { type BoundHook, bindHook, type HookFrame, hasHook, MemoryStorage } from '../hooks/index.ts'
import type { EnabledPlugins } from '../resolve/index.ts'
import type { CallerTool, OfferedTool } from '../tool-schemas/index.ts'
import { fold } from './fold.ts'

/** What one trip through the chain is given. Messages are opaque to the chain. */
export interface ChainRequest {
  readonly plugins: EnabledPlugins
  readonly config: Config
  readonly messages: readonly unknown[]
  /** Tools of the caller, offered after the plugins'. */
  readonly tools?: readonly CallerTool[]
  /** The tools on offer where they are known already: no plugin is asked for them then. */
  readonly offered?: readonly OfferedTool[]
  readonly signal?: AbortSignal
  readonly contextOf?: ContextOf
  /** Without `contextOf`: aborts when the request is over, and what plugins keep for it elsewhere goes. */
  readonly scope?: AbortSignal
  /** The config as one plugin may see it; by default the config itself. */
  readonly configOf?: (plugin: string) => Config
  /**
   * What a partial is: `native`, turned into core by the provider (default), or an `event`, which the
   * provider made already, so that only its extensions' `fromNative` see it.
   */
  readonly partials?: 'native' | 'events'
}

/** A request with its defaults filled in, and its plugins' hooks at hand. */
export interface Turn {
  readonly request: ChainRequest
  readonly limits: Limits
  readonly contextOf: ContextOf
  readonly configOf: (plugin: string) => Config
}

/** A hook with the plugin that it belongs to. */
export interface PluginHook<H extends HookName> {
  readonly plugin: AnyPlugin
  readonly frame: HookFrame
  readonly run: BoundHook<H>
}

export function createTurn(request: ChainRequest): Turn {
  return {
    request,
    limits: limitsOf(request.config),
    contextOf: request.contextOf ?? plainContexts(request),
    configOf: request.configOf ?? (() => request.config),
  }
}

export function frameOf(turn: Turn, plugin: AnyPlugin, phase: Phase): HookFrame {
  const context: ActionContext = turn.contextOf(plugin.name, phase)
  return { plugin, phase, limits: turn.limits, signal: turn.request.signal, context }
}

/** The hook of each plugin that has it, in order; for others no context is made, which costs as much. */
export function hooksOf<H extends HookName>(
  turn: Turn,
  plugins: readonly AnyPlugin[],
  hook: H,
  phase: Phase,
): readonly PluginHook<H>[] {
  return plugins.flatMap((plugin) => {
    const frame = hasHook(plugin, hook) && frameOf(turn, plugin, phase)
    const run = frame && bindHook(frame, hook)
    return frame && run ? [{ plugin, frame, run }] : []
  })
}

/** The provider's hook, or nothing where it has none. */
export function providerHook<H extends HookName>(
  turn: Turn,
  hook: H,
  phase: Phase,
): BoundHook<H> | undefined {
  const { provider } = turn.request.plugins
  return hasHook(provider, hook) ? bindHook(frameOf(turn, provider, phase), hook) : undefined
}

/**
 * Hands a value through a hook of the extensions, then of the features: the fold of every phase but the
 * one per chunk.
 */
export async function throughFollowers<H extends HookName, T>(
  turn: Turn,
  { hook, phase, start }: { readonly hook: H; readonly phase: Phase; readonly start: T },
  next: (value: T, hook: PluginHook<H>) => T | Promise<T>,
): Promise<T> {
  return fold(hooksOf(turn, followers(turn), hook, phase), start, next)
}

/** The extensions, then the features: the order of every fold. */
function followers({ request: { plugins } }: Turn): readonly AnyPlugin[] {
  return [...plugins.extensions, ...plugins.features]
}

/** Contexts for a chain without a host: nothing listens. */
function plainContexts({ config, signal, scope }: ChainRequest): ContextOf {
  const storage = new MemoryStorage()
  return createContexts({
    signal: signal ?? new AbortController().signal,
    scope: () => scope,
    log: () => undefined,
    warn: () => undefined,
    emit: () => undefined,
    configOf: () => config,
    tags: new Set(),
    modelInfo: {},
    requestId: 'request',
    storageOf: (plugin) => storage.storageOf(plugin),
  })
}
