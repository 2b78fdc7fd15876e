import { type Fetch, lazyHooks, type State } from '@braidwork/model-api'
import type { Config, JsonObject, Provider } from '@braidwork/plugin'
import { modelInfo, modelsOf, tagsOf } from './models.ts'
import { accessOf } from './server.ts'
import { NAME, SETTINGS_SCHEMA, settingsOf } from './settings.ts'

export interface OpenAICompatibleOptions {
  /** Sends the requests in place of Node's own client. */
  readonly fetch?: Fetch
}

type CompatibleProvider = Provider<JsonObject, State, JsonObject>

/** Many servers do not know strict tools, and some refuse them: only the settings make them strict. */
function formatOf(config: Config) {
  return settingsOf(config).strict_tools === true ? 'openai-strict' : 'json-schema'
}

/** The provider; an application that has a `fetch` of its own makes it with that. */
export function createOpenAICompatible({
  fetch,
}: OpenAICompatibleOptions = {}): CompatibleProvider {
  return {
    kind: 'provider',
    name: NAME,
    toolSchemaFormat: formatOf,
    configSchema: SETTINGS_SCHEMA,
    getModels: modelsOf,
    getModelInfo: modelInfo,
    getTags: tagsOf,
    ...lazyHooks(
      (config) => accessOf(config, fetch),
      () => import('./exchange.ts'),
    ),
  }
}

export default createOpenAICompatible() satisfies CompatibleProvider
