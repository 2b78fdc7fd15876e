import { type AnyPlugin, bindHook, type Config, limitsOf } from '../plugin/internal.ts'

type ResolveHook = 'getModels' | 'getTags' | 'isEnabled'

/** One hook of a plugin in resolution, all of which take the config first; undefined where it has none. */
export function askHook<H extends ResolveHook>(
  plugin: AnyPlugin,
  hook: H,
  args: [config: Config, ...unknown[]],
): ReturnType<NonNullable<ReturnType<typeof bindHook<H>>>> | undefined {
  const [config] = args
  return bindHook({ plugin, phase: 'resolve', limits: limitsOf(config) }, hook)?.(...args)
}
