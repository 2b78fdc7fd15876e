import {
  neutral,
  SAMPLING_SETTINGS,
  type Sampling,
  text,
  texts,
  withGerman,
} from '@braidwork/model-api'
import type { Config, JsonObject } from '@braidwork/plugin'

export const NAME = 'ai-sdk'

/** What a model may be able to do. The tags of the provider say it, as far as the settings do not take it away. */
export const CAPABILITIES = [
  'tools',
  'parallel-tools',
  'structured-output',
  'vision',
  'files',
  'reasoning',
] as const
export type Capability = (typeof CAPABILITIES)[number]

export interface AiSdkSettings extends Sampling {
  readonly npm_package?: string
  readonly factory?: string
  readonly api?: string
  readonly models?: readonly string[]
  readonly capabilities?: readonly Capability[]
  /** What the models take, instead of what is known of the package. */
  readonly input?: readonly string[]
  readonly api_key?: string
  readonly base_url?: string
  readonly headers?: { readonly [name: string]: string }
  readonly options?: JsonObject
  readonly secret_options?: { readonly [option: string]: string }
  readonly provider_options?: { readonly [provider: string]: JsonObject }
  readonly top_k?: number
}

export function settingsOf(config: Config): AiSdkSettings {
  return config.settings?.[NAME] ?? {}
}

/** A name of npm's, with the path of an export if need be; or where such a package is installed. */
const PACKAGE =
  '^(/.*/node_modules/|[A-Za-z]:[\\\\/].*[\\\\/]node_modules[\\\\/])?(@[a-z0-9~-][\\w.~-]*[\\\\/])?[a-z0-9~-][\\w.~-]*([\\\\/][\\w-][\\w.-]*)*$'

const penalty = { type: 'number', minimum: -2, maximum: 2 }

/** The schema of `settings.ai-sdk`. */
export const SETTINGS_SCHEMA: JsonObject = {
  type: 'object',
  title: 'AI SDK',
  additionalProperties: false,
  properties: withGerman({
    npm_package: text('Package of the AI SDK provider, such as @ai-sdk/openai', {
      pattern: PACKAGE,
      'x-destination': true,
    }),
    factory: text('Export of the package that makes its provider', {
      description: 'By default the only export whose name begins with "create"',
      minLength: 1,
    }),
    api: text('Method of the provider that makes a model, such as chat or responses', {
      default: 'languageModel',
      minLength: 1,
    }),
    models: texts('Models to offer'),
    capabilities: {
      type: 'array',
      title: 'What the models are able to do',
      items: { enum: CAPABILITIES },
      uniqueItems: true,
      default: CAPABILITIES,
    },
    input: {
      type: 'array',
      title: 'What the models take',
      description: 'By default what is known of the package',
      items: { type: 'string', enum: ['text', 'image', 'audio', 'video', 'file'] },
      uniqueItems: true,
    },
    api_key: text('Key', {
      description: 'By default the package reads its own environment variable',
      writeOnly: true,
      minLength: 1,
    }),
    base_url: text('Base URL, instead of that of the package', {
      format: 'uri',
      'x-destination': true,
    }),
    headers: {
      type: 'object',
      title: 'Additional headers of each request',
      additionalProperties: { type: 'string' },
      writeOnly: true,
    },
    options: {
      type: 'object',
      title: 'Other options of the factory',
      default: {},
      // Such as `baseURL` and `resourceName`.
      'x-destination': true,
    },
    secret_options: {
      type: 'object',
      title: 'Options of the factory that are secret, such as secretAccessKey',
      additionalProperties: { type: 'string', writeOnly: true },
    },
    provider_options: {
      type: 'object',
      title: 'Options of each request, by provider',
      additionalProperties: { type: 'object' },
      default: {},
    },
    ...SAMPLING_SETTINGS,
    presence_penalty: neutral('Penalty for tokens that occurred', penalty),
    frequency_penalty: neutral('Penalty for tokens that occurred often', penalty),
    top_k: { type: 'integer', title: 'Top K', minimum: 1 },
  }),
}
