import { CHAT_SAMPLING, type ChatSettings, schemaOf, text, withGerman } from '@braidwork/model-api'
import type { Config, JsonObject } from '@braidwork/plugin'
import { PRESETS, type Preset, type PresetName } from './presets.ts'

export const NAME = 'openai-compatible'

/** The environment variable of the key for a server without a preset. */
export const VARIABLE = 'OPENAI_COMPATIBLE_API_KEY'

export interface CompatibleSettings extends ChatSettings {
  readonly preset?: PresetName
  /** Keys by preset. Each takes precedence over `api_key` when its preset is used. */
  readonly api_keys?: { readonly [preset: string]: string }
  /** What the models take, where that is not known or differs. */
  readonly input?: readonly string[]
}

export function settingsOf(config: Config): CompatibleSettings {
  return config.settings?.[NAME] ?? {}
}

const KEYS = Object.entries<Preset>(PRESETS).flatMap(([name, { title, variable }]) =>
  variable === undefined
    ? []
    : [[name, text(`Key of ${title}`, { writeOnly: true, 'x-env': variable, minLength: 1 })]],
)

const api = { title: 'OpenAI-compatible', variable: VARIABLE, baseUrl: '' }
const schema = schemaOf(api, {
  ...withGerman({
    base_url: text('Base URL, instead of the preset’s', { format: 'uri', 'x-destination': true }),
    preset: text('Server', { enum: Object.keys(PRESETS) }),
    api_keys: {
      type: 'object',
      title: 'API keys by preset',
      additionalProperties: false,
      properties: Object.fromEntries(KEYS) as JsonObject,
    },
    input: {
      type: 'array',
      title: 'What the models take',
      items: { type: 'string', enum: ['text', 'image', 'audio', 'file'] },
      uniqueItems: true,
    },
    strict_tools: { type: 'boolean', title: 'Make tool calls follow their schemas strictly' },
  }),
  ...CHAT_SAMPLING,
})

/** The schema of `settings.openai-compatible`. */
export const SETTINGS_SCHEMA: JsonObject = schema
