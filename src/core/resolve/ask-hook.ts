import type { Config } from '@braidwork/plugin'
import { type AnyPlugin, limitsOf } from '@braidwork/plugin/internal'
import { type BoundHook, callHook } from '../hooks/index.ts'

export type HookArguments = [view: Config, ...unknown[]]

/** The values that every hook of a resolution is asked with. */
export interface Asking {
  /** The whole config, which has the limits. */
  readonly config: Config
  /** Replaces the arguments of a hook, for example with values that record reads. */
  readonly argsOf?: ((plugin: AnyPlugin, args: HookArguments) => HookArguments) | undefined
}

type ResolveHook = 'getModels' | 'getTags' | 'isEnabled'

/** Calls a hook during resolution. Undefined if the plugin does not have it. */
export function askHook<H extends ResolveHook>(
  plugin: AnyPlugin,
  hook: H,
  args: HookArguments,
  { config, argsOf }: Asking,
): ReturnType<BoundHook<H>> | undefined {
  return callHook(
    { plugin, phase: 'resolve', limits: limitsOf(config) },
    hook,
    argsOf?.(plugin, args) ?? args,
  )
}
