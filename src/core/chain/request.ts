import type { ActionContext, Config, HookName, Limits, Phase } from '@braidwork/plugin'
import {
  type AnyPlugin,
  type ContextOf,
  createContexts,
  type ErrorPlace,
  limitsOf,
} from '@braidwork/plugin/internal'
import { givenSettings } from '../config/index.ts'
import type { EventTrail } from '../event-trail.ts'
import { type BoundHook, bindHook, type HookFrame, hasHook } from '../hooks/index.ts'
import type { EnabledPlugins } from '../resolve/index.ts'
import { MemoryValues } from '../storage.ts'
import type { CallerTool, HostTool, OfferedTool } from '../tool-schemas/index.ts'
import { fold } from './fold.ts'

/** The input for one pass through the chain. The chain does not look into messages. */
export interface ChainRequest {
  readonly plugins: EnabledPlugins
  readonly config: Config
  readonly messages: readonly unknown[]
  /** Tools of the caller. They are offered after the plugins' tools. */
  readonly tools?: readonly CallerTool[]
  readonly hostTools?: readonly HostTool[]
  /** The tools on offer, if they are known already. The chain then asks no plugin for tools. */
  readonly offered?: readonly OfferedTool[]
  readonly signal?: AbortSignal
  /** Called when all is prepared, before the provider is asked. */
  readonly onPrepared?: (() => Promise<void>) | undefined
  readonly contextOf?: ContextOf
  /** For chains without `contextOf`: aborts when the request ends, so that plugins release the values kept for it. */
  readonly scope?: AbortSignal
  /** The config as one plugin may see it. The default is the config itself. */
  readonly configOf?: (plugin: string) => Config
  /**
   * The format of partials. `native` (the default): the provider converts them to core format. `events`: the provider
   * has made core events already, so only its extensions' `fromNative` receives them.
   */
  readonly partials?: 'native' | 'events'
  /** Learns which hook gives which events. */
  readonly trail?: EventTrail | undefined
}

/** A request with defaults filled in, and the hooks of its plugins. */
export interface Bound {
  readonly request: ChainRequest
  readonly limits: Limits
  readonly contextOf: ContextOf
  readonly configOf: (plugin: string) => Config
  /** The extensions, then the features. */
  readonly followers: readonly AnyPlugin[]
}

/** A hook and its plugin. */
export interface PluginHook<H extends HookName> {
  readonly plugin: AnyPlugin
  readonly frame: HookFrame
  readonly run: BoundHook<H>
}

export function bindRequest(request: ChainRequest): Bound {
  return {
    request,
    limits: limitsOf(request.config),
    contextOf: request.contextOf ?? plainContexts(request),
    configOf: request.configOf ?? (() => request.config),
    followers: [...request.plugins.extensions, ...request.plugins.features],
  }
}

export function frameOf(bound: Bound, plugin: AnyPlugin, phase: Phase): HookFrame {
  const context: ActionContext = bound.contextOf(plugin.name, phase)
  return { plugin, phase, limits: bound.limits, signal: bound.request.signal, context }
}

/** The hooks of the plugins that have them, in order. No context is made for other plugins, as that is expensive. */
export function hooksOf<H extends HookName>(
  bound: Bound,
  plugins: readonly AnyPlugin[],
  hook: H,
  phase: Phase,
): readonly PluginHook<H>[] {
  const hooks: PluginHook<H>[] = []
  for (const plugin of plugins) {
    if (!hasHook(plugin, hook)) continue
    const frame = frameOf(bound, plugin, phase)
    const run = bindHook(frame, hook)
    if (run) hooks.push({ plugin, frame, run })
  }
  return hooks
}

/** The provider's hook. Undefined if it does not have it. */
export function providerHook<H extends HookName>(
  bound: Bound,
  hook: H,
  phase: Phase,
): BoundHook<H> | undefined {
  const { provider } = bound.request.plugins
  return hasHook(provider, hook) ? bindHook(frameOf(bound, provider, phase), hook) : undefined
}

/**
 * Passes a value through a hook of all extensions and then of all features. Every phase except chunk processing uses
 * this.
 */
export function throughFollowers<H extends HookName, T>(
  bound: Bound,
  { hook, phase, start }: { readonly hook: H; readonly phase: Phase; readonly start: T },
  next: (value: T, hook: PluginHook<H>) => T | Promise<T>,
): T | Promise<T> {
  return fold(hooksOf(bound, bound.followers, hook, phase), start, next)
}

/** Where an error in the answer of a hook arose. */
export function placeOf({ plugin, phase }: HookFrame, hook: HookName): ErrorPlace {
  return { plugin: plugin.name, hook, phase }
}

/** Contexts for a chain that runs without a host: log lines, warnings and events are dropped. */
function plainContexts({ config, plugins, signal, scope }: ChainRequest): ContextOf {
  const { provider, extensions, features, tools } = plugins
  const all = [provider, ...extensions, ...features, ...tools]
  const storage = new MemoryValues()
  return createContexts({
    signal: signal ?? new AbortController().signal,
    scope: () => scope,
    log: () => undefined,
    warn: () => undefined,
    emit: () => undefined,
    configOf: () => config,
    settingsOf: (name) => {
      const plugin = all.find((one) => one.name === name)
      return plugin ? givenSettings(plugin, config) : {}
    },
    tags: new Set(),
    modelInfo: {},
    requestId: 'request',
    storageOf: (plugin) => storage.storageOf(plugin),
  })
}
