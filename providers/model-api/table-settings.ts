import type { JsonObject } from '@braidwork/plugin'
import { withGerman } from './german.ts'
import type { HttpApi } from './http-api.ts'
import { SAMPLING_SETTINGS, schemaOf } from './settings.ts'

/** The types of the settings that every table has. */
export interface BuiltInTypes {
  readonly api_key: 'string'
  readonly base_url: 'string'
  readonly headers: 'object'
  readonly proxy: 'string'
  readonly max_retries: 'integer'
  readonly models: 'array'
  readonly body: 'object'
}

/** The names of built-in settings: those of the connection, and the neutral keys that a form has. */
export type BuiltInSetting = keyof BuiltInTypes | keyof typeof SAMPLING_SETTINGS

/** The members of a built-in setting's schema that a table may change. */
export const WORDS = ['title', 'description', 'default', 'examples', 'x-i18n'] as const

/** Settings without a default, because they are secret, or because the table has their default elsewhere. */
const WITHOUT_DEFAULT: readonly string[] = ['api_key', 'base_url', 'headers', 'proxy', 'models']

type TableOfSettings = Pick<HttpApi, 'title' | 'variable' | 'baseUrl' | 'settings' | 'sampling'>

/** The settings schema of a table. Of a built-in setting the table changes the words, and everything else stays. */
export function tableSchema(api: TableOfSettings): JsonObject {
  const { settings = {}, sampling } = api
  const builtIn = builtInOf(api)
  const isOwn = ([name]: [string, unknown]): boolean => !Object.hasOwn(builtIn, name)
  const own = Object.fromEntries(Object.entries(settings).filter(isOwn))
  const changed = Object.entries(settings).flatMap(([name, changes]) =>
    Object.hasOwn(builtIn, name) ? [[name, merged(builtIn[name] ?? {}, changes)]] : [],
  )
  const schema = schemaOf(api, own, sampling)
  const properties = { ...propertiesOf(schema), ...withGerman(Object.fromEntries(changed)) }
  return { ...schema, properties }
}

/** The translations go with the words that they translate. */
function merged({ 'x-i18n': _words, ...builtIn }: JsonObject, changes: JsonObject): JsonObject {
  return { ...builtIn, ...changes }
}

type Schemas = { readonly [name: string]: JsonObject }

function propertiesOf(schema: JsonObject): Schemas {
  return schema['properties'] as Schemas
}

function builtInOf(api: TableOfSettings): Schemas {
  return propertiesOf(schemaOf(api, {}, api.sampling))
}

/** A member of a built-in setting's schema that a table must not change, as a place below `settings`, and why. */
export function refusedChange(
  api: TableOfSettings,
): readonly [place: string, expected: string] | undefined {
  const builtIn = builtInOf(api)
  for (const [name, changes] of Object.entries(api.settings ?? {})) {
    const known = Object.hasOwn(builtIn, name) ? builtIn[name] : undefined
    if (!known) continue
    for (const [member, value] of Object.entries(changes)) {
      const expected = faultOf(name, member, JSON.stringify(known[member]))
      if (expected && JSON.stringify(value) !== JSON.stringify(known[member]))
        return [`${name}/${member}`, expected]
    }
  }
  return undefined
}

function faultOf(name: string, member: string, known: string | undefined): string | undefined {
  const isWord = WORDS.some((one) => one === member)
  if (isWord && !(member === 'default' && WITHOUT_DEFAULT.includes(name))) return undefined
  const words = WORDS.filter((one) => one !== 'default' || !WITHOUT_DEFAULT.includes(name))
  const rest = `"${name}" is a built-in setting, of which a table may change ${words.join(', ')}`
  return known === undefined ? `left out: ${rest}` : `${known} or left out: ${rest}`
}

/** The defaults that a table gives to the neutral keys of its form. The config takes precedence over them. */
export function neutralDefaults(api: HttpApi): JsonObject {
  return defaultsOf(api, (name) => isNeutral(api, name))
}

/** The defaults of all other settings in a table. Those of built-in settings are in the code that reads them. */
export function ownDefaults(api: HttpApi): JsonObject {
  return defaultsOf(api, (name) => !isNeutral(api, name))
}

function isNeutral({ sampling }: HttpApi, name: string): boolean {
  return Object.hasOwn(SAMPLING_SETTINGS, name) && (sampling?.some((one) => one === name) ?? true)
}

function defaultsOf({ settings = {} }: HttpApi, isWanted: (name: string) => boolean): JsonObject {
  const pairs = Object.entries(settings).map(([name, schema]) => [name, schema['default']] as const)
  return Object.fromEntries(pairs.filter(([name, value]) => value !== undefined && isWanted(name)))
}
