import type { Config, JsonObject, ModelInfo, Provider } from '@braidwork/plugin'
import type { State } from './exchange.ts'
import type { AiSdkProvider } from './load-model.ts'
import type { NativePart } from './parts.ts'
import { CAPABILITIES, NAME, SETTINGS_SCHEMA, settingsOf } from './settings.ts'

export interface AiSdkOptions {
  /** A provider of the AI SDK, such as `createOpenAI()`, instead of the package that the settings name. */
  readonly provider?: AiSdkProvider
}

type Plugin = Provider<JsonObject, State, NativePart>
type Exchange = typeof import('./exchange.ts')

/** Makes the plugin. A program that has a provider of the AI SDK passes it here. */
export function createAiSdk({ provider }: AiSdkOptions = {}): Plugin {
  let loaded: Exchange | undefined

  /** The loaded code. `init` loads it, and runs before all other hooks of a request. */
  function exchange(): Exchange {
    if (loaded) return loaded
    throw new Error('"init" of the provider has not run.')
  }

  return {
    kind: 'provider',
    name: NAME,
    toolSchemaFormat: 'json-schema',
    configSchema: SETTINGS_SCHEMA,
    getModels: (config) => settingsOf(config).models ?? [],
    getModelInfo: (_id, config) => infoOf(config),
    getTags: tagsOf,
    init: async (config, context) => {
      loaded ??= await import('./exchange.ts')
      return loaded.init(config, context, provider)
    },
    toNative: (messages, state, context) => exchange().toNative(messages, state, context),
    call: (native, state, context) => exchange().call(native, state, context),
    stream: (native, _state, context) => exchange().streamParts(native, context),
    processChunk: (part, native, state, context) =>
      exchange().processChunk(part, native, state, context),
    fromNative: (natives, _state, context) => exchange().fromNative(natives, context),
  }
}

/** What the settings say that the models take. */
function infoOf(config: Config): ModelInfo {
  const { input } = settingsOf(config)
  return input ? { input } : {}
}

function tagsOf(config: Config): readonly string[] {
  const { capabilities = CAPABILITIES, input = ['image', 'file'] } = settingsOf(config)
  const refused = [
    ...(input.includes('image') ? [] : ['vision']),
    ...(input.includes('file') ? [] : ['files']),
  ]
  const known = capabilities.filter((one) => !refused.includes(one))
  return [NAME, 'text', 'streaming', 'history-repair', ...known]
}

export default createAiSdk() satisfies Plugin
