import type { Config } from '@braidwork/plugin'
import { type AnyPlugin, limitsOf } from '@braidwork/plugin/internal'
import { type BoundHook, callHook } from '../hooks/index.ts'

type ResolveHook = 'getModels' | 'getTags' | 'isEnabled'

/** Calls a hook during resolution, with the limits of the whole config. Undefined if the plugin does not have it. */
export function askHook<H extends ResolveHook>(
  plugin: AnyPlugin,
  hook: H,
  args: [view: Config, ...unknown[]],
  config: Config,
): ReturnType<BoundHook<H>> | undefined {
  return callHook({ plugin, phase: 'resolve', limits: limitsOf(config) }, hook, args)
}
