import {
  connectionCheck,
  type Fetch,
  lazyHooks,
  loadingSoon,
  type State,
  settingsOf,
} from '@braidwork/model-api'
import type { Config, JsonObject, Provider } from '@braidwork/plugin'
import { familyOf, modelInfo, modelOf, modelsOf, tagsOf } from './models.ts'
import { ANTHROPIC } from './profile.ts'
import { type AnthropicSettings, SETTINGS_SCHEMA } from './settings.ts'

export type {
  MessagesBlock,
  MessagesChunk,
  MessagesRequest,
  MessagesTool,
  MessagesTurn,
} from './messages/native.ts'

export interface AnthropicOptions {
  /** Sends the requests instead of Node's HTTP client. */
  readonly fetch?: Fetch
}

type AnthropicProvider = Provider<JsonObject, State, JsonObject>

/**
 * Tools are strict only if the settings say so: the API builds one grammar from all strict tools, and refuses a
 * request whose grammar is too large.
 */
function formatOf(config: Config) {
  const { strict_tools: strict } = settingsOf<AnthropicSettings>(config, ANTHROPIC)
  return strict === true && familyOf(modelOf(config)).takesSchemas ? 'anthropic' : 'json-schema'
}

/** Makes the provider. An application with its own `fetch` passes it here. */
export function createAnthropic({ fetch }: AnthropicOptions = {}): AnthropicProvider {
  return {
    kind: 'provider',
    name: ANTHROPIC.name,
    toolSchemaFormat: formatOf,
    ...connectionCheck(),
    configSchema: SETTINGS_SCHEMA,
    getModels: modelsOf,
    getModelInfo: modelInfo,
    getTags: loadingSoon(tagsOf, () => [
      import('./exchange.ts'),
      import('@anthropic-ai/sdk/client'),
    ]),
    ...lazyHooks(
      (config) => ({ profile: ANTHROPIC, settings: settingsOf(config, ANTHROPIC), fetch }),
      () => import('./exchange.ts'),
    ),
  }
}

export default createAnthropic() satisfies AnthropicProvider
