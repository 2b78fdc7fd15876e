import type { Config, JsonObject, Provider } from '@braidwork/plugin'
import type { Access } from './access.ts'
import type { Embed } from './embeddings.ts'
import type { Exchange, State } from './exchange.ts'

type Hooks<S extends State> = Pick<
  Provider<JsonObject, S, JsonObject>,
  'refreshModels' | 'init' | 'toNative' | 'processChunk' | 'fromNative'
> &
  Required<Pick<Provider<JsonObject, S, JsonObject>, 'call' | 'stream'>>

export type EmbedHook = NonNullable<Provider['embed']>

/** The embedding hook of a provider, for the config's model. Its code is loaded by the first call. */
export function lazyEmbed(
  accessOf: (config: Config) => Access,
  load: () => Promise<{ readonly embed: Embed }>,
): { readonly embed: EmbedHook } {
  return {
    embed: async (inputs, options, context) => {
      const { embed } = await load()
      return embed(accessOf(context.config), inputs, options, context)
    },
  }
}

/**
 * A provider's request hooks. Their code is loaded by the first hook that runs, since most programs register more
 * providers than they use.
 */
export function lazyHooks<S extends State>(
  accessOf: (config: Config) => Access,
  load: () => Promise<{ readonly exchange: Exchange<S> }>,
): Hooks<S> {
  let loaded: Exchange<S> | undefined

  async function ready(): Promise<Exchange<S>> {
    loaded ??= (await load()).exchange
    return loaded
  }

  /** The loaded code. `init` loads it, and runs before all other hooks of a request. */
  function exchange(): Exchange<S> {
    if (loaded) return loaded
    throw new Error('"init" of the provider has not run.')
  }

  return {
    refreshModels: async (config, { signal }) =>
      (await ready()).refreshModels(accessOf(config), config, signal),
    init: (config, context) =>
      loaded ? loaded.init(config, context) : ready().then((first) => first.init(config, context)),
    toNative: (messages, state, context) => exchange().toNative(messages, state, context),
    call: (native, state, context) =>
      exchange().call(accessOf(context.config), { native, state, context }),
    stream: (native, state, context) =>
      exchange().stream(accessOf(context.config), { native, state, context }),
    processChunk: (chunk, native, state, context) =>
      exchange().processChunk(chunk, native, state, context),
    fromNative: (natives, state, context) => exchange().fromNative(natives, state, context),
  }
}
