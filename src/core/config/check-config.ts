import {
  type Config,
  type Diagnostic,
  findJsonFault,
  HostError,
  isObject,
  type JsonObject,
  pointerOf,
} from '@braidwork/plugin'
import { type AnyPlugin, messageOf } from '@braidwork/plugin/internal'
import { didYouMean } from '../suggest.ts'
import { isCodeForbidden } from './code-generation.ts'
import { CONFIG_SCHEMA } from './config-schema.ts'
import { validateConfig } from './config-validator.ts'
import { keepAnswer, type LibraryAnswer } from './given-settings.ts'
import { jsonReason } from './json-reason.ts'
import { faultFinderOf, faultIn } from './json-schema.ts'
import type { ConfigLayer } from './layers.ts'
import { isPlainlyValid } from './plainly-valid.ts'
import { type SchemaFault, toSchemaFault } from './schema-fault.ts'
import { marksOf, pointerPath } from './secret-marks.ts'
import { settingsSchemaOf, standardSchemaOf } from './settings-schema.ts'
import { mayRefuseNone, NO_SETTINGS } from './without-settings.ts'

/**
 * Checks that a value is a layer of config.
 * @throws {HostError} CONFIG_INVALID with a pointer, if it is not plain JSON or a known key has a wrong value
 */
export function checkConfig(value: unknown): ConfigLayer {
  const jsonFault = findJsonFault(value)
  if (jsonFault) throw invalid(jsonFault.pointer, jsonReason(value, jsonFault))
  if (!isObject(value)) throw invalid('', 'a config must be an object')
  if (!isPlainlyValid(CONFIG_SCHEMA, value) && !validateConfig(value)) {
    const fault = toSchemaFault(validateConfig.errors, CONFIG_SCHEMA)
    throw invalid(fault?.pointer ?? '', fault?.message ?? 'it is not valid')
  }
  return value
}

const KNOWN = CONFIG_SCHEMA.properties

/**
 * Diagnostics for unknown top-level keys, and for settings and tools of plugins that are not registered.
 * @param isUnknown - false for a plugin that could not be loaded: it needs its settings when it is repaired
 */
export function configDiagnostics(
  config: Config,
  plugins: readonly AnyPlugin[],
  isUnknown: (name: string) => boolean = () => true,
): Diagnostic[] {
  const unknown = Object.keys(config).filter((key) => !Object.hasOwn(KNOWN, key))
  const orphans = Object.keys(config.settings ?? {}).filter(
    (name) => isUnknown(name) && !plugins.some((plugin) => plugin.name === name),
  )
  const tools = toolsOfOthers(config, plugins).filter(({ plugin }) => isUnknown(plugin))
  // Every request asks, and nearly none has any.
  if (unknown.length + orphans.length + tools.length === 0) return []
  const known = Object.keys(KNOWN)
  const names = plugins.map((plugin) => plugin.name)
  return [
    ...unknown.map((key) => ({
      code: 'CONFIG_KEY_UNKNOWN',
      level: 'warning' as const,
      pointer: pointerOf([key]),
      message: `The key "${key}" is unknown to the host, which passes it to plugins unchanged.${didYouMean(key, known)}`,
    })),
    ...orphans.map((name) => ({
      code: 'SETTINGS_UNUSED',
      level: 'warning' as const,
      plugin: name,
      pointer: pointerOf(['settings', name]),
      message: `The config has settings for "${name}", which is not registered.${didYouMean(name, names) || ' Remove them, or load the plugin.'}`,
    })),
    ...tools.map(({ section, key, plugin }) => ({
      code: 'POLICY_UNUSED',
      level: 'warning' as const,
      pointer: pointerOf([section, key]),
      message: `"${key}" in "${section}" does nothing: the plugin "${plugin}" is not registered.${didYouMean(plugin, names)}`,
    })),
  ]
}

/** The entries for tools, by plugin and name, whose plugins are not registered. */
function toolsOfOthers(config: Config, plugins: readonly AnyPlugin[]) {
  if ((config.tool_policy ?? config.tool_names) === undefined) return []
  return (['tool_policy', 'tool_names'] as const).flatMap((section) =>
    Object.keys(config[section] ?? {}).flatMap((key) => {
      const plugin = key.slice(0, Math.max(key.lastIndexOf('.'), 0))
      const isKnown = plugin === '' || plugins.some(({ name }) => name === plugin)
      return isKnown ? [] : { section, key, plugin }
    }),
  )
}

/** Checks the settings of these plugins against their config schemas. The first fault of each plugin. */
export async function settingsFaults(
  config: Config,
  plugins: readonly AnyPlugin[],
): Promise<readonly HostError[]> {
  const checks = plugins.flatMap((plugin) => checkOf(config, plugin) ?? [])
  if (checks.length === 0) return []
  const faults = await Promise.all(checks.map(settingsFault))
  return faults.filter((fault) => fault !== undefined)
}

/** The same with all faults of each plugin, which takes longer. */
export async function allSettingsFaults(
  config: Config,
  plugins: readonly AnyPlugin[],
): Promise<readonly HostError[]> {
  const checks = plugins.flatMap((plugin) => checkOf(config, plugin) ?? [])
  const faults = checks.map(async (check) => {
    const first = await settingsFault(check)
    if (!first) return []
    const all = (await faultFinderOf(check.schema))(check.settings)
    // What only the schema object of a library refuses, the schema does not find.
    return all.length > 0 ? all.map((fault) => invalidSettings(check, fault)) : [first]
  })
  return (await Promise.all(faults)).flat()
}

/** The settings of a plugin, and the schema that they must match. */
interface SettingsCheck {
  readonly plugin: AnyPlugin
  readonly schema: JsonObject
  readonly settings: unknown
}

/** The settings that were found valid, by their schema. A config never changes, so they are checked once. */
const valid = new WeakMap<JsonObject, WeakSet<object>>()

/** The check of a plugin's settings. Undefined if they cannot be wrong. */
function checkOf(config: Config, plugin: AnyPlugin): SettingsCheck | undefined {
  const schema = settingsSchemaOf(plugin)
  if (!schema) return undefined
  const settings = config.settings?.[plugin.name] ?? NO_SETTINGS
  if (settings === NO_SETTINGS && !mayRefuseNone(schema) && !hasLibraryCheck(plugin))
    return undefined
  if (isObject(settings) && valid.get(schema)?.has(settings)) return undefined
  return { plugin, schema, settings }
}

async function settingsFault(check: SettingsCheck): Promise<HostError | undefined> {
  const { plugin, schema, settings } = check
  // This spares most starts from loading ajv.
  const needsSchema = settings !== NO_SETTINGS || mayRefuseNone(schema)
  const fault =
    (needsSchema ? await schemaFault(check) : undefined) ?? (await libraryFault(plugin, settings))
  if (!fault) {
    if (isObject(settings) && !standardSchemaOf(plugin)) noteValid(schema, settings)
    return undefined
  }
  return invalidSettings(check, fault)
}

function invalidSettings({ plugin, schema }: SettingsCheck, fault: SchemaFault): HostError {
  const pointer = `/settings/${plugin.name}${fault.pointer}`
  return new HostError(
    'SETTINGS_INVALID',
    `Settings of ${plugin.kind} "${plugin.name}" at ${pointer}: ${fault.message}${variableHint(schema, fault)}`,
    {
      plugin: plugin.name,
      pointer,
    },
  )
}

/** Which variable a wrong value comes from, or a missing one may come from, that the config does not have. */
function variableHint(schema: JsonObject, { pointer }: SchemaFault): string {
  const path = JSON.stringify(pointerPath(pointer))
  const mark = marksOf(schema).find((one) => JSON.stringify(one.path) === path)
  if (mark?.variable === undefined) return ''
  return ` (where the config does not set it, the environment variable ${mark.variable} does)`
}

function noteValid(schema: JsonObject, settings: object): void {
  const known = valid.get(schema) ?? new WeakSet()
  valid.set(schema, known.add(settings))
}

/**
 * The member of a host plugin that checks settings for which its JSON Schema is not all that they must match. It answers
 * as `validate` of a library's schema object does.
 */
export const SETTINGS_CHECK: unique symbol = Symbol.for('braidwork.settings-check')

interface WithCheck {
  readonly [SETTINGS_CHECK]?: (settings: unknown) => unknown
}

function hasLibraryCheck(plugin: AnyPlugin & WithCheck): boolean {
  return plugin[SETTINGS_CHECK] !== undefined || standardSchemaOf(plugin)?.validate !== undefined
}

/** The fault that the schema object of a library finds: it may have checks that JSON Schema cannot express. */
async function libraryFault(
  plugin: AnyPlugin & WithCheck,
  settings: unknown,
): Promise<SchemaFault | undefined> {
  const check = plugin[SETTINGS_CHECK]
  const schema = standardSchemaOf(plugin)
  if (!check && !schema?.validate) return undefined
  try {
    const answer = (await (check ? check(settings) : schema?.validate?.(settings))) as LibraryAnswer
    const [issue] = answer.issues ?? []
    if (!issue) keepAnswer(plugin, settings, answer)
    return issue && { pointer: issuePointer(issue.path), message: issue.message }
  } catch (error) {
    return { pointer: '', message: `the check of its schema failed: ${messageOf(error)}` }
  }
}

function issuePointer(path: NonNullable<LibraryAnswer['issues']>[number]['path'] = []): string {
  return pointerOf(path.map((key) => String(typeof key === 'object' ? key.key : key)))
}

async function schemaFault({
  schema,
  settings,
  plugin: { kind, name },
}: SettingsCheck): Promise<SchemaFault | undefined> {
  try {
    return await faultIn(schema, settings)
  } catch (error) {
    const fault = isCodeForbidden(error) ? 'cannot be used' : 'is not a JSON Schema'
    throw new HostError(
      'HOOK_ANSWER_INVALID',
      `"configSchema" of ${kind} "${name}" ${fault}: ${messageOf(error)}`,
      { plugin: name, hook: 'configSchema', cause: error },
    )
  }
}

function invalid(pointer: string, message: string): HostError {
  const where = pointer === '' ? 'The config is not valid' : `The config is not valid at ${pointer}`
  return new HostError('CONFIG_INVALID', `${where}: ${message}`, { pointer })
}
