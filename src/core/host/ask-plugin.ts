import type { ModelInfo } from '@braidwork/plugin'
import { type AnyPlugin, limitsOf } from '@braidwork/plugin/internal'
import { bindHook } from '../hooks/index.ts'
import type { Resolved } from '../resolve/index.ts'
import { hostContexts } from './contexts.ts'
import type { HostCore } from './core.ts'
import type { Closing } from './signals/closing.ts'
import { withOwnSignal } from './signals/own-signal.ts'

/** The signals for a hook outside a request. */
interface Signals {
  /** Aborts when the hook is done, so that plugins release the values kept for it. */
  readonly scope: AbortSignal
  /** Cancels the hook. */
  readonly signal: AbortSignal
}

/** Runs a function with the signals of a hook, of which one aborts as {@link withOwnSignal} says. */
export async function scoped<T>(
  closing: Closing,
  given: AbortSignal | undefined,
  act: (signals: Signals) => Promise<T>,
): Promise<T> {
  const scope = new AbortController()
  try {
    return await withOwnSignal(closing, [given], (signal) => act({ scope: scope.signal, signal }))
  } finally {
    // With a reason of our own, because the default reason would capture a stack trace that nobody reads.
    scope.abort('it is done')
  }
}

interface Door extends Signals {
  readonly core: HostCore
  readonly resolved: Resolved
  readonly modelInfo: ModelInfo
  readonly requestId?: string
  readonly conversationId?: string | undefined
}

/** Returns a function that calls a hook outside a request. The hook gets a context of its own, in the phase `settings`. */
export function bindFor<H extends 'refreshModels' | 'runAction' | 'getUiElements' | 'embed'>(
  hook: H,
  plugin: AnyPlugin,
  door: Door,
) {
  const { resolved, scope } = door
  const context = hostContexts({ ...door, scope: () => scope })(plugin.name, 'settings')
  const limits = limitsOf(resolved.config)
  return bindHook({ plugin, phase: 'settings', limits, signal: door.signal, context }, hook)
}
