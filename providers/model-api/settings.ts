import type { Config, JsonObject } from '@braidwork/plugin'
import type { Profile } from './profile.ts'

const SAMPLING = [
  'temperature',
  'top_p',
  'max_output_tokens',
  'stop',
  'seed',
  'tool_choice',
  'parallel_tool_calls',
  'reasoning_effort',
  'response_format',
] as const

/** Keys of the config that every provider maps; a setting of the same name wins over them. */
export type Sampling = Pick<Config, (typeof SAMPLING)[number]>

/** Settings that every provider has. */
export interface ConnectionSettings extends Sampling {
  readonly api_key?: string
  readonly base_url?: string
  readonly headers?: { readonly [name: string]: string }
  readonly proxy?: string
  readonly max_retries?: number
  readonly models?: readonly string[]
  readonly body?: JsonObject
}

/** A provider's own settings, as its schema has let them through. */
export function settingsOf<S extends ConnectionSettings>(config: Config, { name }: Profile): S {
  const settings: object = config.settings?.[name] ?? {}
  return settings as S
}

/** The neutral keys of a config, and over them those of the settings. */
export function samplingOf(config: Config, settings: Sampling): Sampling {
  const pairs = SAMPLING.map((key) => [key, settings[key] ?? config[key]] as const)
  return Object.fromEntries(pairs.filter(([, value]) => value !== undefined))
}

export const text = (title: string, more: object = {}) => ({ type: 'string', title, ...more })

export const texts = (title: string) => ({
  type: 'array',
  title,
  items: { type: 'string' },
  uniqueItems: true,
})

/** The schema of a provider's settings: those that every provider has, and its own. */
export function schemaOf(
  { title, variable, baseUrl }: Pick<Profile, 'title' | 'variable' | 'baseUrl'>,
  own: { readonly [setting: string]: object },
): JsonObject {
  return {
    type: 'object',
    title,
    additionalProperties: false,
    properties: {
      ...connection(variable, baseUrl),
      ...own,
      ...sampling,
      body: { type: 'object', title: 'Fields of the request body, as they are', default: {} },
    },
  }
}

const connection = (variable: string, baseUrl: string) => ({
  api_key: text('Key', { writeOnly: true, 'x-env': variable, minLength: 1 }),
  base_url: text('Base URL', { format: 'uri', default: baseUrl }),
  headers: {
    type: 'object',
    title: 'Headers of each request',
    additionalProperties: { type: 'string' },
    writeOnly: true,
  },
  proxy: text('HTTP proxy', { format: 'uri', writeOnly: true }),
  max_retries: { type: 'integer', title: 'Retries', minimum: 0, maximum: 10, default: 2 },
  models: texts('Models on offer, in place of the known ones'),
})

const neutral = (title: string, schema: object) => ({
  title,
  description: 'In place of what the config says for every provider',
  ...schema,
})

const sampling = {
  temperature: neutral('Temperature', { type: 'number', minimum: 0, maximum: 2 }),
  top_p: neutral('Top P', { type: 'number', minimum: 0, maximum: 1 }),
  max_output_tokens: neutral('Longest answer, in tokens', { type: 'integer', minimum: 1 }),
  stop: neutral('Texts that end the answer', {
    anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }],
  }),
  seed: neutral('Seed', { type: 'integer' }),
  tool_choice: neutral('Choice of tools', {
    anyOf: [
      { enum: ['auto', 'none', 'required'] },
      { type: 'object', required: ['tool'], properties: { tool: { type: 'string' } } },
    ],
  }),
  parallel_tool_calls: neutral('Several tool calls at once', { type: 'boolean' }),
  reasoning_effort: neutral('Effort of reasoning', {
    anyOf: [
      { enum: ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] },
      { type: 'integer', minimum: 0 },
    ],
  }),
  response_format: neutral('Format of the answer', {
    type: 'object',
    required: ['type'],
    properties: { type: text('Kind') },
  }),
}
