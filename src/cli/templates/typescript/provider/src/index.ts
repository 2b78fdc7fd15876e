import type { Headers, ModelTool, Provider } from '@braidwork/plugin'
import { chunksOf } from './api.js'
import { eventsOf } from './events.js'
import { type ChatRequest, requestOf } from './request.js'
import { CONFIG_SCHEMA, settingsOf } from './settings.js'

interface ChatState {
  readonly model: string
  readonly tools: readonly ModelTool[]
  readonly requestHeaders?: Headers
}

/** Makes the provider. `send` stands in for the network in tests. */
export function createProvider(send: typeof fetch = fetch): Provider<ChatRequest, ChatState> {
  return {
    kind: 'provider',
    name: '{{name}}',
    configSchema: CONFIG_SCHEMA,
    getModels: (config) => settingsOf(config).models,
    getTags: () => ['{{name}}', 'text', 'streaming', 'tools'],

    init: (config) => ({
      model: config.model ?? settingsOf(config).models[0] ?? '',
      tools: config.tools ?? [],
    }),
    toNative: (messages, { model, tools }) => requestOf(messages, model, tools),

    // The chunks are core events, so neither "processChunk" nor "fromNative" has to convert them. Without "call",
    // the host makes a whole answer of the stream too.
    stream: (native, { requestHeaders: added }, { config, signal }) =>
      eventsOf(chunksOf(native, { ...settingsOf(config), send, signal, added })),
  }
}

export default createProvider()
