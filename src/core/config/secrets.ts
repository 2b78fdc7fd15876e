import { isDeepStrictEqual } from 'node:util'
import { type Config, isObject, type JsonObject, type Settings } from '@braidwork/plugin'
import { type AnyPlugin, messageOf } from '@braidwork/plugin/internal'
import { isError } from '../node-errors.ts'
import { echoesOf, isLikeToken, isSecretName, spellingsOf } from './echoes.ts'
import { GivenSecrets, SHORTEST_MASKED } from './given-secrets.ts'
import type { Variables } from './layers.ts'
import { maskAt, maskValues, stringsIn, valuesAt, withValue } from './masked-values.ts'
import { type Mark, marksOf } from './secret-marks.ts'
import { readableSettingsSchema } from './settings-schema.ts'
import { type VariableSetting, variableSettings } from './variable-settings.ts'

const WHOLE: Mark = { path: [], isSecret: true }

type AllSettings = { readonly [plugin: string]: Settings }
const NO_SETTINGS: AllSettings = Object.freeze({})

/** Settings with the values of variables filled in. */
interface Filled {
  readonly variables: Variables
  readonly settings: AllSettings
}

/** A setting of a plugin that an environment variable filled in. */
interface PluginVariable extends VariableSetting {
  readonly plugin: string
}

/** Knows which settings are secret, from the schemas of the plugins, and masks them. */
export class Secrets {
  readonly #marks = new Map<string, readonly Mark[]>()
  readonly #schemas = new Map<string, JsonObject>()
  readonly #values: Set<string>
  readonly #given = new GivenSecrets()
  #views = new WeakMap<object, { readonly [plugin: string]: unknown }>()
  #echoes = new WeakMap<object, readonly string[]>()
  #filled = new WeakMap<object, Filled>()
  /** What variables filled in so far, by plugin, path and value. */
  readonly #fromVariables = new Map<string, PluginVariable>()

  /** @param values values of the config that came from environment variables */
  constructor(values: Iterable<string> = []) {
    this.#values = new Set(values)
  }

  /** Reads the secret marks of a plugin's schema. */
  learn(plugin: AnyPlugin): void {
    const schema = readableSettingsSchema(plugin) ?? {}
    this.#schemas.set(plugin.name, schema)
    this.#note(plugin.name, marksOf(schema))
  }

  /** Hides all settings of a plugin from other plugins, for as long as its schema is not known. */
  hide(plugin: string): void {
    this.#schemas.delete(plugin)
    this.#note(plugin, [WHOLE])
  }

  #note(plugin: string, marks: readonly Mark[]): void {
    this.#marks.set(plugin, marks)
    this.#forget()
  }

  #forget(): void {
    this.#views = new WeakMap()
    this.#echoes = new WeakMap()
    this.#filled = new WeakMap()
  }

  /** Adds values that are secret from then on, in whichever place they occur. */
  keep(values: Iterable<string>): void {
    for (const value of values) this.#values.add(value)
    this.#forget()
  }

  /** Fills settings from the environment variables that the schemas name, if the config does not set them. */
  fill(config: Config, variables: Variables): Config {
    const given = config.settings ?? NO_SETTINGS
    const known = this.#filled.get(given)
    const isKnown = known?.variables === variables
    const settings = isKnown ? known.settings : this.#filledSettings(given, variables)
    if (!isKnown) this.#filled.set(given, { variables, settings })
    if (!isKnown) this.#given.add(this.#marked(settings))
    return settings === given ? config : { ...config, settings }
  }

  #filledSettings(given: AllSettings, variables: Variables): AllSettings {
    let settings = given
    for (const one of this.#variablesFor(given, variables)) {
      const { plugin, path, value, texts } = one
      // From here on, the value is as secret as one that the config takes from the environment.
      for (const text of texts) this.#values.add(text)
      this.#fromVariables.set(JSON.stringify([plugin, path, value]), one)
      settings = { ...settings, [plugin]: withValue(settings[plugin], path, value) as Settings }
    }
    return settings
  }

  *#variablesFor(given: AllSettings, variables: Variables): Generator<PluginVariable> {
    for (const [plugin, schema] of this.#schemas) {
      const marked = { schema, marks: this.#marks.get(plugin) ?? [] }
      for (const one of variableSettings(marked, given[plugin], variables)) yield { plugin, ...one }
    }
  }

  /** The config as one plugin sees it: the secrets of all other plugins are `{"$secret": true}`. */
  viewOf(config: Config, plugin: string): Config {
    const { settings } = config
    if (!settings) return config
    const masked = this.#maskedSettings(settings)
    if (masked === settings) return config
    const own = settings[plugin]
    return {
      ...config,
      settings: { ...masked, ...(own ? { [plugin]: own } : {}) } as NonNullable<Config['settings']>,
    }
  }

  /** The config with every secret as `{"$secret": true}`. */
  masked(config: Config): Config {
    const { settings } = config
    const own = settings ? { ...config, settings: this.#maskedSettings(settings) } : config
    return (this.#values.size > 0 ? maskValues(own, this.#values) : own) as Config
  }

  /** Returns a function that masks every secret of a config in a text. It collects the secrets on its first call. */
  textMask(config: Config): (text: string) => string {
    let secrets: readonly string[] | undefined
    return (text) => {
      secrets ??= this.#secretsIn(config)
      return secrets.reduce((masked, secret) => masked.replaceAll(secret, '***'), text)
    }
  }

  /** Masks the secrets of recent requests in a text that belongs to none of them, such as the output of an interpreter. */
  maskGiven(text: string): string {
    return this.#given.mask(text)
  }

  /** The texts that an answer must not contain, longest first: secrets that do not occur in ordinary answers. */
  echoes({ settings = NO_SETTINGS, model }: Config): readonly string[] {
    const known = this.#echoes.get(settings)
    if (known) return known
    const given = [...this.#values].filter((value) => value !== model && isLikeToken(value))
    const echoes = echoesOf([...given, ...this.#marked(settings, isSecretName)])
    this.#echoes.set(settings, echoes)
    return echoes
  }

  /** The spellings of a config's secrets, longest first, as one may begin with another. */
  #secretsIn({ settings = {} }: Config): readonly string[] {
    const secrets = [...this.#values, ...this.#marked(settings)]
    const long = secrets.filter((value) => value.length >= SHORTEST_MASKED)
    return spellingsOf([...new Set(long)], SHORTEST_MASKED)
  }

  #maskedSettings(settings: NonNullable<Config['settings']>): {
    readonly [plugin: string]: unknown
  } {
    const known = this.#views.get(settings)
    if (known) return known
    let masked: { readonly [plugin: string]: unknown } = settings
    for (const [plugin, value] of Object.entries(settings)) {
      const marked = this.#secretPaths(plugin, value).reduce<unknown>(
        (whole, path) => (valuesAt(whole, path).length > 0 ? maskAt(whole, path) : whole),
        value,
      )
      const view = this.#values.size > 0 ? maskValues(marked, this.#values) : marked
      if (view !== value) masked = { ...masked, [plugin]: view }
    }
    this.#views.set(settings, masked)
    return masked
  }

  /** The paths of the secrets in settings of a plugin: those that its schema marks, and those that variables filled in. */
  #secretPaths(plugin: string, settings: unknown): readonly Mark['path'][] {
    const marks = (this.#marks.get(plugin) ?? []).filter(({ isSecret }) => isSecret)
    const filled = [...this.#fromVariables.values()].filter(
      ({ path, value, ...one }) =>
        one.plugin === plugin && isDeepStrictEqual(valuesAt(settings, path), [value]),
    )
    return [...marks, ...filled].map(({ path }) => path)
  }

  #marked(
    settings: { readonly [plugin: string]: unknown },
    isMeant: (name: string) => boolean = () => true,
  ): string[] {
    return [...this.#marks].flatMap(([plugin, marks]) =>
      marks.flatMap(({ path, isSecret }) =>
        isSecret && path.length > 0
          ? valuesAt(settings[plugin], path).flatMap((value) => stringsIn(value, isMeant))
          : [],
      ),
    )
  }
}

/** The depth to which a log line is searched for texts; deeper values stay as they are. */
const DEEPEST_TEXT = 8

/** Copies a value and changes every text in it. An error whose message would change becomes the changed message. */
export function mapTexts(value: unknown, change: (text: string) => string, depth = 0): unknown {
  const map = (inner: unknown) => mapTexts(inner, change, depth + 1)
  if (typeof value === 'string') return change(value)
  if (depth > DEEPEST_TEXT) return value
  if (Array.isArray(value)) return value.map(map)
  if (isError(value)) {
    const text = messageOf(value)
    return change(text) === text ? value : change(text)
  }
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, map(inner)]))
}
