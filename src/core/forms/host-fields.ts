import type { Config, JsonObject } from '@braidwork/plugin'
import { type AnyPlugin, DEFAULT_LIMITS } from '@braidwork/plugin/internal'
import { CONFIG_SCHEMA } from '../config/index.ts'
import { readValue } from '../hooks/index.ts'
import type { Resolution } from '../resolve/index.ts'
import type { Words } from './words.ts'

/** The config keys that every provider supports, in the order of the form. */
const NEUTRAL = [
  'temperature',
  'top_p',
  'max_output_tokens',
  'reasoning_effort',
  'stop',
  'seed',
  'tool_choice',
  'parallel_tool_calls',
] as const

/** The input for the form of the host's own settings. */
export interface HostFieldsInput {
  readonly plugins: readonly AnyPlugin[]
  readonly resolution: Resolution
  /** The config with secrets masked. */
  readonly masked: Config
  readonly words: Words
  readonly titles: ReadonlyMap<AnyPlugin, string>
}

/** A cache of schemas by texts and parts. More combinations than this rarely alternate. */
const MOST_KEPT = 20
const kept = new WeakMap<Words, Map<string, JsonObject>>()

/**
 * The schema of the host's own settings: provider, model, the keys that every provider supports, and a switch for each
 * plugin. Equal parts give the same object.
 */
export function hostSchema(input: HostFieldsInput): JsonObject {
  const { words } = input
  const byParts = kept.get(words) ?? new Map<string, JsonObject>()
  kept.set(words, byParts)
  const parts: Parts = [providersIn(input), modelSchema(input), switchesIn(input)]
  const key = JSON.stringify(parts)
  const known = byParts.get(key)
  if (known) return known
  if (byParts.size >= MOST_KEPT) byParts.clear()
  const schema = schemaOf(words, parts)
  byParts.set(key, schema)
  return schema
}

type Parts = readonly [
  providers: readonly JsonObject[],
  model: JsonObject,
  switches: readonly (readonly [name: string, schema: JsonObject])[],
]

function schemaOf(words: Words, [providers, model, switches]: Parts): JsonObject {
  const neutral = NEUTRAL.map((key) => [key, neutralSchema(key, words)] as const)
  return {
    type: 'object',
    properties: {
      provider: { type: 'string', title: words.provider, oneOf: providers },
      model,
      ...Object.fromEntries(neutral),
      response_format: formatSchema(words),
      limits: limitsSchema(words),
      switches: {
        type: 'object',
        title: words.switches,
        properties: Object.fromEntries(switches),
      },
    },
  }
}

function neutralSchema(key: (typeof NEUTRAL)[number], words: Words): JsonObject {
  const schema = { ...CONFIG_SCHEMA.properties[key], title: words[key] }
  if (key !== 'tool_choice' && key !== 'reasoning_effort') return schema
  const [, other] = CONFIG_SCHEMA.properties[key].anyOf
  return { title: words[key], anyOf: [titled(words.values[key]), other] }
}

/** A choice of fixed values with titles. */
function titled(meanings: { readonly [value: string]: string }): JsonObject {
  const choices = Object.entries(meanings).map(([value, title]) => ({ const: value, title }))
  return { type: 'string', oneOf: choices }
}

function providersIn({ plugins, titles }: HostFieldsInput): Parts[0] {
  const providers = plugins.filter(({ kind }) => kind === 'provider')
  return providers.map((plugin) => ({ const: plugin.name, title: titles.get(plugin) }))
}

/** The available models, and the config's model even if it is not among them. */
function modelSchema({ resolution, masked, words }: HostFieldsInput): JsonObject {
  const title = words.model
  const { models } = resolution
  if (models.length === 0) return { type: 'string', title }
  const own = typeof masked.model === 'string' ? [masked.model] : []
  return { type: 'string', title, enum: [...new Set([...models, ...own])] }
}

/** The kind of `response_format` only: the schema of the answer is up to the application. */
function formatSchema({ response_format: title, response_kind: kind, values }: Words): JsonObject {
  const type = { ...titled(values.response_format), title: kind }
  return { type: 'object', title, properties: { type } }
}

function limitsSchema({ limits: title, limit }: Words): JsonObject {
  const { properties } = CONFIG_SCHEMA.properties.limits
  const withDefaults = Object.entries(properties).map(([name, schema]) => {
    const key = name as keyof typeof DEFAULT_LIMITS
    return [key, { ...schema, title: limit[key], default: DEFAULT_LIMITS[key] }]
  })
  return { type: 'object', title, properties: Object.fromEntries(withDefaults) }
}

/** A switch for each plugin that is not a provider. The switch of a forced plugin is read-only. */
function switchesIn({ plugins, masked, titles }: HostFieldsInput): Parts[2] {
  const forced = new Set(masked.force_enabled_plugins)
  return switched(plugins).map((plugin) => [
    plugin.name,
    {
      type: 'boolean',
      title: titles.get(plugin),
      default: isOnByDefault(plugin),
      ...(forced.has(plugin.name) ? { readOnly: true } : {}),
    },
  ])
}

/** The position of each switch: whether the config allows the plugin. Its tags may still turn it off. */
export function switchesOf(plugins: readonly AnyPlugin[], config: Config): JsonObject {
  const enabled = new Set(config.enabled_plugins)
  const disabled = new Set(config.disabled_plugins)
  const forced = new Set(config.force_enabled_plugins)
  const entries = switched(plugins).map((plugin) => {
    const { name } = plugin
    const isWanted = isOnByDefault(plugin) || enabled.has(name)
    return [name, forced.has(name) || (isWanted && !disabled.has(name))]
  })
  return Object.fromEntries(entries)
}

function switched(plugins: readonly AnyPlugin[]): readonly AnyPlugin[] {
  return plugins.filter(({ kind }) => kind !== 'provider')
}

function isOnByDefault(plugin: AnyPlugin): boolean {
  return readValue(plugin, 'defaultEnabled') !== false
}
