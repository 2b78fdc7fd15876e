import type { JsonObject, Provider } from '@braidwork/plugin'
import type { State } from './exchange.ts'

/** How long a process must run on, in milliseconds, before code is loaded that no request has needed yet. */
const LOADED_AFTER = 200

type TagsHook = NonNullable<Provider<JsonObject, State, JsonObject>['getTags']>

/**
 * The hook `getTags` of a provider that loads the code of its requests late. Soon after it is asked for the first time,
 * because a config selects the provider, a process that is still running loads that code: Node remembers when a module
 * could not be loaded, so that a server without free file descriptors at its first request would never recover.
 */
export function loadingSoon(getTags: TagsHook, load: () => readonly Promise<unknown>[]): TagsHook {
  let hasBegun = false
  return (config, models) => {
    if (!hasBegun) {
      hasBegun = true
      setTimeout(() => void loadAll(load), LOADED_AFTER).unref()
    }
    return getTags(config, models)
  }
}

/** The request that needs a module which cannot be loaded fails with the reason. */
async function loadAll(load: () => readonly Promise<unknown>[]): Promise<void> {
  await Promise.allSettled([...load(), import('eventsource-parser'), import('./http/proxy.ts')])
}
