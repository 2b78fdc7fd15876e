import type { Config } from '@braidwork/plugin'

export interface Settings {
  readonly api_key?: string
  readonly base_url: string
  readonly models: readonly string[]
}

const DEFAULTS = { base_url: 'http://127.0.0.1:8080/v1', models: ['default'] } as const

export const CONFIG_SCHEMA = {
  type: 'object',
  properties: {
    api_key: {
      type: 'string',
      title: 'API key',
      // A secret, which may also come from the environment.
      writeOnly: true,
      'x-env': '{{variable}}_API_KEY',
      minLength: 1,
    },
    base_url: {
      type: 'string',
      title: 'Base URL',
      format: 'uri',
      // The key is sent there, so callers of a server cannot change it.
      'x-destination': true,
      default: DEFAULTS.base_url,
    },
    models: {
      type: 'array',
      title: 'Models',
      items: { type: 'string', minLength: 1 },
      minItems: 1,
      default: DEFAULTS.models,
    },
  },
  additionalProperties: false,
} as const

/** The settings of a config. The host has checked them against the schema. */
export function settingsOf(config: Config): Settings {
  return { ...DEFAULTS, ...config.settings?.['{{name}}'] }
}
