import type { Config, Provider } from 'braidwork/plugin'
import type { Access } from './client.ts'
import type { State } from './exchange.ts'
import type { JsonObject } from './json.ts'
import { modelInfo, modelsOf, tagsOf } from './models.ts'
import { OPENAI } from './profile.ts'
import type { Fetch } from './proxy.ts'
import { settingsOf, settingsSchema } from './settings.ts'

export interface OpenAIOptions {
  /** Sends the requests in place of the global `fetch`. */
  readonly fetch?: Fetch
}

type Exchange = typeof import('./exchange.ts')

// Loaded by the first request: most programs that have the provider at hand ask another.
let loaded: Exchange | undefined

async function load(): Promise<Exchange> {
  loaded ??= await import('./exchange.ts')
  return loaded
}

/** `init` has loaded it: it runs before every other hook of a request. */
function exchange(): Exchange {
  if (loaded) return loaded
  throw new Error('"init" of the provider has not run.')
}

/** The provider; an application that has a `fetch` of its own makes it with that. */
export function createOpenAI(options: OpenAIOptions = {}): Provider<JsonObject, State, JsonObject> {
  const accessOf = (config: Config): Access => ({
    profile: OPENAI,
    settings: settingsOf(config, OPENAI),
    fetch: options.fetch,
  })

  return {
    kind: 'provider',
    name: OPENAI.name,
    toolSchemaFormat: 'openai-strict',
    configSchema: settingsSchema(OPENAI),
    getModels: (config) => modelsOf(config, OPENAI),
    refreshModels: async (config, { signal }) =>
      (await load()).refreshModels(accessOf(config), config, signal),
    getModelInfo: (id) => modelInfo(id),
    getTags: (config, models) => tagsOf(config, models, OPENAI),
    init: async (config, context) => (await load()).init(config, context),
    toNative: (messages, state, context) => exchange().toNative(messages, state, context),
    call: (native, state, context) =>
      exchange().call(accessOf(context.config), { native, state, context }),
    stream: (native, state, context) =>
      exchange().stream(accessOf(context.config), { native, state, context }),
    processChunk: (chunk, native, state, context) =>
      exchange().processChunk(chunk, native, state, context),
    fromNative: (natives, state) => exchange().fromNative(natives, state),
  }
}

export default createOpenAI() satisfies Provider<JsonObject, State, JsonObject>
