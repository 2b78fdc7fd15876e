import { type Config, isObject, type JsonObject, type Settings } from '@braidwork/plugin'
import { type AnyPlugin, frozenCopy } from '@braidwork/plugin/internal'
import { listIn } from './json-types.ts'
import { referred } from './secret-marks.ts'
import { readableSettingsSchema, standardSchemaOf } from './settings-schema.ts'
import { NO_SETTINGS } from './without-settings.ts'

/** Chains of references and of `allOf` are followed so far. */
const MOST_STEPS = 20

/** The settings that plugins are given, by plugin and by the settings in the config. */
const given = new WeakMap<AnyPlugin, WeakMap<Settings, Settings>>()

/**
 * The settings of a plugin as `context.settings` shows them: with the defaults of its schema, or as the schema object
 * of its library returns them. Made once for each object of settings. Settings that were not checked may be wrong;
 * they are then shown as they are.
 */
export function givenSettings(plugin: AnyPlugin, config: Config): Settings {
  const settings = config.settings?.[plugin.name] ?? NO_SETTINGS
  const known = given.get(plugin)?.get(settings)
  if (known) return known
  const schema = standardSchemaOf(plugin)
  const answer = schema ? answerAtOnce(schema, settings) : undefined
  const output = answer && outputIn(answer)
  return keepSettings(plugin, settings, output ?? settingsWithDefaults(plugin, settings))
}

/** What a schema object of a library says of settings. https://standardschema.dev */
export interface LibraryAnswer {
  readonly value?: unknown
  readonly issues?: readonly {
    readonly message: string
    readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[]
  }[]
}

/** Keeps the settings that the schema object of a library returned, if they are an object. */
export function keepAnswer(plugin: AnyPlugin, settings: unknown, answer: LibraryAnswer): void {
  const output = outputIn(answer)
  if (output && isObject(settings)) keepSettings(plugin, settings, output)
}

/** Keeps the settings that elements of a form add beside those that the schema of the plugin makes of the others. */
export function keepAdded(
  plugin: AnyPlugin,
  { whole, own }: { readonly whole: Config; readonly own: Config },
): void {
  const settings = whole.settings?.[plugin.name] ?? NO_SETTINGS
  const others = own.settings?.[plugin.name] ?? NO_SETTINGS
  const added = Object.entries(settings).filter(([key]) => !Object.hasOwn(others, key))
  const made = Object.entries(givenSettings(plugin, own))
  keepSettings(plugin, settings, Object.freeze(Object.fromEntries([...made, ...added])))
}

function keepSettings(plugin: AnyPlugin, settings: Settings, made: Settings): Settings {
  const bySettings = given.get(plugin) ?? new WeakMap<Settings, Settings>()
  given.set(plugin, bySettings.set(settings, made))
  return made
}

function outputIn({ value, issues }: LibraryAnswer): Settings | undefined {
  return issues === undefined && isObject(value) ? value : undefined
}

/** Undefined for a schema that checks asynchronously: the check of the settings keeps its answer. */
function answerAtOnce(
  schema: { validate?(value: unknown): unknown },
  settings: Settings,
): LibraryAnswer | undefined {
  try {
    const answer = schema.validate?.(settings)
    // The check of the settings reports this error too, and one that nobody handles would end the process.
    if (answer instanceof Promise) void answer.catch(() => undefined)
    return isObject(answer) ? answer : undefined
  } catch {
    // The check of the settings reports the error.
    return undefined
  }
}

function settingsWithDefaults(plugin: AnyPlugin, settings: Settings): Settings {
  const root = readableSettingsSchema(plugin)
  if (!root) return settings
  const made = withDefaults(settings, root, root)
  return isObject(made) ? made : settings
}

/** The value with the defaults of a schema, for members that are absent. The value itself does not change. */
function withDefaults(value: unknown, schema: unknown, root: JsonObject, step = 0): unknown {
  if (!isObject(schema) || step > MOST_STEPS) return value
  if (value === undefined && Object.hasOwn(schema, 'default')) return frozenCopy(schema['default'])
  const further = [referred(root, schema['$ref']), ...listIn(schema['allOf'])]
  const filled = further.reduce((so, one) => withDefaults(so, one, root, step + 1), value)
  if (isObject(filled)) return withMembers(filled, schema, root)
  const { items } = schema
  if (!Array.isArray(filled) || !isObject(items)) return filled
  const made = filled.map((item: unknown) => withDefaults(item, items, root))
  return made.every((item, at) => item === filled[at]) ? filled : Object.freeze(made)
}

function withMembers(value: JsonObject, schema: JsonObject, root: JsonObject): JsonObject {
  const { properties } = schema
  if (!isObject(properties)) return value
  const changed = Object.entries(properties).flatMap(([key, inner]) => {
    const before = Object.hasOwn(value, key) ? value[key] : undefined
    const after = withDefaults(before, inner, root)
    return after === before ? [] : [[key, after] as const]
  })
  if (changed.length === 0) return value
  return Object.freeze(Object.fromEntries([...Object.entries(value), ...changed]))
}
