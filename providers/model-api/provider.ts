import type { Config, JsonObject, Provider } from '@braidwork/plugin'
import type { Embed, EmbedHook } from './embeddings.ts'
import type { Exchange, State, Streaming } from './exchange.ts'
import type { Access } from './http/access.ts'

type Native<S extends State> = Provider<JsonObject, S, JsonObject>

type StreamingHooks<S extends State> = Pick<
  Native<S>,
  'refreshModels' | 'init' | 'toNative' | 'processChunk'
> &
  Required<Pick<Native<S>, 'stream'>>

type Hooks<S extends State> = StreamingHooks<S> &
  Pick<Native<S>, 'fromNative'> &
  Required<Pick<Native<S>, 'call'>>

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
  const lazy = new LazyExchange<Exchange<S>>(load)
  return {
    ...streamingHooks(accessOf, lazy),
    call: (native, state, context) =>
      lazy.loaded.call(accessOf(context.config), { native, state, context }),
    fromNative: (natives, state, context) => lazy.loaded.fromNative(natives, state, context),
  }
}

/** The request hooks of a provider that is only asked for streams, loaded as {@link lazyHooks} are. */
export function lazyStreamingHooks<S extends State>(
  accessOf: (config: Config) => Access,
  load: () => Promise<{ readonly exchange: Streaming<S> }>,
): StreamingHooks<S> {
  return streamingHooks(accessOf, new LazyExchange<Streaming<S>>(load))
}

function streamingHooks<S extends State>(
  accessOf: (config: Config) => Access,
  lazy: LazyExchange<Streaming<S>>,
): StreamingHooks<S> {
  return {
    refreshModels: async (config, { signal }) =>
      (await lazy.load()).refreshModels(accessOf(config), config, signal),
    init: (config, context) =>
      lazy.isLoaded
        ? lazy.loaded.init(config, context)
        : lazy.load().then((first) => first.init(config, context)),
    toNative: (messages, state, context) => lazy.loaded.toNative(messages, state, context),
    stream: (native, state, context) =>
      lazy.loaded.stream(accessOf(context.config), { native, state, context }),
    processChunk: (chunk, native, state, context) =>
      lazy.loaded.processChunk(chunk, native, state, context),
  }
}

/** The code of the hooks. `init` loads it, and runs before all other hooks of a request. */
class LazyExchange<E> {
  readonly #load: () => Promise<{ readonly exchange: E }>
  #exchange: E | undefined

  constructor(load: () => Promise<{ readonly exchange: E }>) {
    this.#load = load
  }

  get isLoaded(): boolean {
    return this.#exchange !== undefined
  }

  get loaded(): E {
    if (this.#exchange !== undefined) return this.#exchange
    throw new Error('"init" of the provider has not run.')
  }

  async load(): Promise<E> {
    this.#exchange ??= (await this.#load()).exchange
    return this.#exchange
  }
}
