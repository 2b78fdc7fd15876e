import type { Config, JsonObject } from '@braidwork/plugin'
import { withGerman } from './german.ts'
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

/** The keys that only APIs of OpenAI's kind have. */
const OPENAI_ONLY = [
  'presence_penalty',
  'frequency_penalty',
  'logit_bias',
  'user',
  'metadata',
] as const

export const SAMPLING_KEYS = [...SAMPLING, ...OPENAI_ONLY] as const

/** The name of a neutral config key. */
export type SamplingKey = (typeof SAMPLING_KEYS)[number]

interface OpenAISampling {
  readonly presence_penalty?: number
  readonly frequency_penalty?: number
  readonly logit_bias?: JsonObject
  readonly user?: string
  readonly metadata?: JsonObject
}

/** The neutral config keys, of which each provider maps those that its API has. A provider setting of the same name takes precedence. */
export type Sampling = Pick<Config, (typeof SAMPLING)[number]> & OpenAISampling

/** The settings that every provider has. */
export interface ConnectionSettings extends Sampling {
  readonly api_key?: string
  readonly base_url?: string
  readonly headers?: { readonly [name: string]: string }
  readonly proxy?: string
  readonly max_retries?: number
  readonly models?: readonly string[]
  readonly body?: JsonObject
}

/** A provider's settings, already validated by its schema. */
export function settingsOf<S extends ConnectionSettings>(config: Config, { name }: Profile): S {
  const settings: object = config.settings?.[name] ?? {}
  return settings as S
}

/** The config's neutral keys, overridden by the settings. */
export function samplingOf(config: Config, settings: Sampling): Sampling {
  const pairs = SAMPLING_KEYS.map((key) => [key, settings[key] ?? config[key]] as const)
  return Object.fromEntries(pairs.filter(([, value]) => value !== undefined)) as Sampling
}

export const text = (title: string, more: object = {}) => ({ type: 'string', title, ...more })

export const texts = (title: string) => ({
  type: 'array',
  title,
  items: { type: 'string' },
  uniqueItems: true,
})

/**
 * The settings schema of a provider: the common settings, its own, and the neutral keys that its API has. Its own settings
 * stay as they are; a provider translates them itself. One that takes the place of a common setting keeps its marks.
 */
export function schemaOf(
  { title, variable, baseUrl }: Pick<Profile, 'title' | 'variable' | 'baseUrl'>,
  own: { readonly [setting: string]: object },
  keys: readonly SamplingKey[] = SAMPLING_KEYS,
): JsonObject {
  const common: Common = connection(variable, baseUrl)
  const marked = (name: string, one: object): object =>
    Object.hasOwn(common, name) ? { ...marksOf(common[name]), ...one } : one
  const sampling = Object.entries(SAMPLING_SETTINGS).filter(([key]) =>
    keys.some((known) => known === key),
  )
  return {
    type: 'object',
    title,
    additionalProperties: false,
    properties: {
      ...withGerman(common),
      ...Object.fromEntries(Object.entries(own).map(([name, one]) => [name, marked(name, one)])),
      ...withGerman({ ...Object.fromEntries(sampling), body: BODY }),
    },
  }
}

interface Common {
  readonly [setting: string]: object
}

/** What makes a setting a secret, or an address that secrets are sent to. */
const MARKS = ['writeOnly', 'x-env', 'x-destination']

function marksOf(schema: object = {}): object {
  return Object.fromEntries(Object.entries(schema).filter(([member]) => MARKS.includes(member)))
}

const BODY = {
  type: 'object',
  title: 'Additional fields of the request body, sent unchanged',
  default: {},
}

const connection = (variable: string, baseUrl: string) => ({
  api_key: text('Key', { writeOnly: true, 'x-env': variable, minLength: 1 }),
  base_url: text('Base URL', { format: 'uri', default: baseUrl, 'x-destination': true }),
  headers: {
    type: 'object',
    title: 'Additional headers of each request',
    additionalProperties: { type: 'string' },
    writeOnly: true,
  },
  proxy: text('HTTP proxy', { format: 'uri', writeOnly: true }),
  max_retries: { type: 'integer', title: 'Retries', minimum: 0, maximum: 10, default: 2 },
  models: texts('Models to offer instead of the known ones'),
})

/** The schema of a setting that overrides a config key of the same name. */
export const neutral = (title: string, schema: object) => ({
  title,
  description: 'Overrides the value that the config sets for all providers',
  ...schema,
})

/** The schemas of the settings that override the neutral keys of the config. */
export const SAMPLING_SETTINGS = {
  temperature: neutral('Temperature', { type: 'number', minimum: 0, maximum: 2 }),
  top_p: neutral('Top P', { type: 'number', minimum: 0, maximum: 1 }),
  max_output_tokens: neutral('Maximum length of the answer in tokens', {
    type: 'integer',
    minimum: 1,
  }),
  stop: neutral('Stop sequences: texts that end the answer', {
    anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }],
  }),
  seed: neutral('Seed', { type: 'integer' }),
  tool_choice: neutral('Tool choice', {
    anyOf: [
      { enum: ['auto', 'none', 'required'] },
      {
        type: 'object',
        required: ['tool'],
        properties: { tool: { type: 'string', description: 'Name of the only tool to call' } },
      },
    ],
  }),
  parallel_tool_calls: neutral('Allow several tool calls at once', { type: 'boolean' }),
  reasoning_effort: neutral('Reasoning effort', {
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
