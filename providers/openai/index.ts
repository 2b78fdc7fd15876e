import {
  connectionCheck,
  type Fetch,
  lazyEmbed,
  lazyHooks,
  loadingSoon,
  settingsOf,
} from '@braidwork/model-api'
import type { Config, JsonObject, Provider } from '@braidwork/plugin'
import type { OpenAIState } from './exchange.ts'
import { modelInfo, modelsOf, tagsOf } from './models.ts'
import { OPENAI } from './profile.ts'
import { type OpenAISettings, SETTINGS_SCHEMA } from './settings.ts'

export type {
  ChatChunk,
  ChatContentPart,
  ChatMessage,
  ChatRequest,
  ChatTool,
  ChatToolCall,
  ChatToolCallDelta,
} from '@braidwork/model-api'
export type {
  ResponsesChunk,
  ResponsesItem,
  ResponsesRequest,
  ResponsesTool,
} from './responses/native.ts'

export interface OpenAIOptions {
  /** Sends the requests instead of Node's HTTP client. */
  readonly fetch?: Fetch
}

type OpenAIProvider = Provider<JsonObject, OpenAIState, JsonObject>

/** Tools are strict if possible: OpenAI recommends it, and its Responses API does so by default. */
function formatOf(config: Config) {
  const { strict_tools: strict = true } = settingsOf<OpenAISettings>(config, OPENAI)
  return strict ? 'openai-strict' : 'json-schema'
}

/** Makes the provider. An application with its own `fetch` passes it here. */
export function createOpenAI({ fetch }: OpenAIOptions = {}): OpenAIProvider {
  const accessOf = (config: Config) => ({
    profile: OPENAI,
    settings: settingsOf(config, OPENAI),
    fetch,
  })
  return {
    kind: 'provider',
    name: OPENAI.name,
    toolSchemaFormat: formatOf,
    ...connectionCheck(),
    configSchema: SETTINGS_SCHEMA,
    getModels: modelsOf,
    getModelInfo: modelInfo,
    getTags: loadingSoon(tagsOf, () => [import('./exchange.ts'), import('openai/client')]),
    ...lazyHooks(accessOf, () => import('./exchange.ts')),
    ...lazyEmbed(accessOf, () => import('./exchange.ts')),
  }
}

export default createOpenAI() satisfies OpenAIProvider
