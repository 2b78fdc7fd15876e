import { type AnyPlugin, bindHook, type HookFrame, limitsOf } from '../plugin/internal.ts'

type ResolveHook = 'getModels' | 'getTags' | 'isEnabled' | 'getModelInfo'

const LIMITS = limitsOf({})

/** One hook of a plugin in resolution; undefined where the plugin has none. */
export function askHook<H extends ResolveHook>(
  plugin: AnyPlugin,
  hook: H,
  args: unknown[],
): ReturnType<NonNullable<ReturnType<typeof bindHook<H>>>> | undefined {
  const frame: HookFrame = { plugin, phase: 'resolve', limits: LIMITS }
  return bindHook(frame, hook)?.(...args)
}
