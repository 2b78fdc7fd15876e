import {
  connectionCheck,
  type Fetch,
  lazyEmbed,
  lazyHooks,
  loadingSoon,
  type State,
} from '@braidwork/model-api'
import type { Config, JsonObject, Provider } from '@braidwork/plugin'
import { modelInfo, modelsOf, tagsOf } from './models.ts'
import { accessOf } from './server.ts'
import { type CompatibleSettings, NAME, SETTINGS_SCHEMA, settingsOf } from './settings.ts'

export type {
  ChatChunk,
  ChatContentPart,
  ChatMessage,
  ChatRequest,
  ChatTool,
  ChatToolCall,
  ChatToolCallDelta,
} from '@braidwork/model-api'

export interface OpenAICompatibleOptions {
  /** Sends the requests instead of Node's HTTP client. */
  readonly fetch?: Fetch
}

type CompatibleProvider = Provider<JsonObject, State, JsonObject>

/** Tools are strict only if the settings say so: many servers ignore strict tools, and some refuse them. */
function formatOf(config: Config) {
  return settingsOf(config).strict_tools === true ? 'openai-strict' : 'json-schema'
}

/** Makes the provider. An application with its own `fetch` passes it here. */
export function createOpenAICompatible({
  fetch,
}: OpenAICompatibleOptions = {}): CompatibleProvider {
  return {
    kind: 'provider',
    name: NAME,
    toolSchemaFormat: formatOf,
    ...connectionCheck((own: CompatibleSettings) =>
      accessOf({ settings: { [NAME]: { ...own } } }, fetch),
    ),
    configSchema: SETTINGS_SCHEMA,
    getModels: modelsOf,
    getModelInfo: modelInfo,
    getTags: loadingSoon(tagsOf, () => [import('./exchange.ts'), import('openai/client')]),
    ...lazyHooks(
      (config) => accessOf(config, fetch),
      () => import('./exchange.ts'),
    ),
    ...lazyEmbed(
      (config) => accessOf(config, fetch),
      () => import('./exchange.ts'),
    ),
  }
}

export default createOpenAICompatible() satisfies CompatibleProvider
