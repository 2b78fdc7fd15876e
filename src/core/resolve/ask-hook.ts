import type { Config } from '@braidwork/plugin'
import { type AnyPlugin, limitsOf } from '@braidwork/plugin/internal'
import { type BoundHook, callHook } from '../hooks/index.ts'

type ResolveHook = 'getModels' | 'getTags' | 'isEnabled'

/** One hook of a plugin in resolution, within the limits of the whole config; undefined where it has none. */
export function askHook<H extends ResolveHook>(
  plugin: AnyPlugin,
  hook: H,
  args: [view: Config, ...unknown[]],
  config: Config,
): ReturnType<BoundHook<H>> | undefined {
  return callHook({ plugin, phase: 'resolve', limits: limitsOf(config) }, hook, args)
}
