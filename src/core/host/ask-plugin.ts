import type { ModelInfo } from '@braidwork/plugin'
import { type AnyPlugin, limitsOf } from '@braidwork/plugin/internal'
import { bindHook } from '../hooks/index.ts'
import type { Resolved } from '../resolve/index.ts'
import { hostContexts } from './contexts.ts'
import type { HostCore } from './core.ts'

/** Runs a function with a signal that aborts when it is done, so that plugins release the values kept for it. */
export async function scoped<T>(act: (scope: AbortSignal) => Promise<T>): Promise<T> {
  const scope = new AbortController()
  try {
    return await act(scope.signal)
  } finally {
    // With a reason of our own, because the default reason would capture a stack trace that nobody reads.
    scope.abort('it is done')
  }
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

/** Returns a function that calls a hook outside a request. The hook gets a context of its own, in the phase `settings`. */
export function bindFor<H extends 'refreshModels' | 'runAction' | 'getUiElements' | 'embed'>(
  hook: H,
  plugin: AnyPlugin,
  door: Door,
) {
  const { core, resolved, scope, signal = core.closing.signal } = door
  const context = hostContexts({ ...door, signal, scope: () => scope })(plugin.name, 'settings')
  const limits = limitsOf(resolved.config)
  return bindHook({ plugin, phase: 'settings', limits, signal, context }, hook)
}
