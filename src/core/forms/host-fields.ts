import type { Config, JsonObject } from '@braidwork/plugin'
import { type AnyPlugin, DEFAULT_LIMITS } from '@braidwork/plugin/internal'
import { CONFIG_SCHEMA } from '../config/index.ts'
import { readValue } from '../hooks/index.ts'
import type { Resolution } from '../resolve/index.ts'
import type { Words } from './words.ts'

/** Keys of the config that every provider maps, in the order of the form. CONTRACT 2 */
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

/** What the form of the host's own settings is made of. */
export interface HostFieldsInput {
  readonly plugins: readonly AnyPlugin[]
  readonly resolution: Resolution
  /** The config as it may be shown. */
  readonly masked: Config
  readonly words: Words
  readonly titles: ReadonlyMap<AnyPlugin, string>
}

/** What was made before for the same words and the same parts; more than some are seldom in turn. */
const MOST_KEPT = 20
const kept = new WeakMap<Words, Map<string, JsonObject>>()

/**
 * The schema of the host's own settings: provider, model, what every provider takes, and a switch a plugin.
 * The same object for the same parts.
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

/** A choice of fixed values, each with what it means. */
function titled(meanings: { readonly [value: string]: string }): JsonObject {
  const choices = Object.entries(meanings).map(([value, title]) => ({ const: value, title }))
  return { type: 'string', oneOf: choices }
}

function providersIn({ plugins, titles }: HostFieldsInput): Parts[0] {
  const providers = plugins.filter(({ kind }) => kind === 'provider')
  return providers.map((plugin) => ({ const: plugin.name, title: titles.get(plugin) }))
}

/** The models on offer; the config's own too, where it is not among them. */
function modelSchema({ resolution, masked, words }: HostFieldsInput): JsonObject {
  const title = words.model
  const { models } = resolution
  if (models.length === 0) return { type: 'string', title }
  const own = typeof masked.model === 'string' ? [masked.model] : []
  return { type: 'string', title, enum: [...new Set([...models, ...own])] }
}

/** Without the schema of an answer, which is the application's. */
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

/** A switch for each plugin but providers; a forced one cannot be switched. */
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

/** How each switch stands: whether the config lets the plugin take part, whatever tags then say. */
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
