import {
  type AnyPlugin,
  type BoundHook,
  type Config,
  callHook,
  limitsOf,
} from '../plugin/internal.ts'

type ResolveHook = 'getModels' | 'getTags' | 'isEnabled'

/** One hook of a plugin in resolution, all of which take the config first; undefined where it has none. */
export function askHook<H extends ResolveHook>(
  plugin: AnyPlugin,
  hook: H,
  args: [config: Config, ...unknown[]],
): ReturnType<BoundHook<H>> | undefined {
  return callHook({ plugin, phase: 'resolve', limits: limitsOf(args[0]) }, hook, args)
}
