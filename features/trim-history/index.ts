import type { Feature } from '@braidwork/plugin'
import { roomOf } from './room.ts'
import { CONFIG_SCHEMA, readSettings } from './settings.ts'
import { loadTokenizer } from './tokenizer.ts'
import { trim } from './trim.ts'

const SCHEMAS = 'schemas'

export default {
  kind: 'feature',
  name: 'trim-history',
  // Off by default, since it changes the messages.
  defaultEnabled: false,
  configSchema: CONFIG_SCHEMA,

  init({ tools = [], response_format }, state, { local }) {
    local.set(SCHEMAS, [...tools, response_format])
    return state
  },

  editMessages(messages, _state, context) {
    const { config, modelInfo, local, signal, warn } = context
    const { provider, model } = config
    const settings = readSettings(config)
    const room = roomOf(config, modelInfo, settings)
    if (room.tokens === Number.POSITIVE_INFINITY) {
      warn(
        'The context window of the model is unknown, so nothing is left out: set "context_window" or "max_tokens"',
      )
    }
    return trim(messages, {
      room,
      longestResult: settings.max_result_tokens ?? Number.POSITIVE_INFINITY,
      note: settings.note,
      provider,
      schemas: (local.get(SCHEMAS) as readonly unknown[] | undefined) ?? [],
      signal,
      warn,
      load: () => loadTokenizer(model),
    })
  },
} satisfies Feature
