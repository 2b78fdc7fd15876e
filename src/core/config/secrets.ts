import { type Config, isObject, type Settings } from '@braidwork/plugin'
import { type AnyPlugin, messageOf } from '@braidwork/plugin/internal'
import { echoesOf, isLikeToken, isSecretName } from './echoes.ts'
import type { Variables } from './layers.ts'
import { EACH, type Mark, marksOf } from './secret-marks.ts'
import { readableSettingsSchema } from './settings-schema.ts'

const WHOLE: Mark = { path: [], isSecret: true }
const MASKED = Object.freeze({ $secret: true })
/** In texts: shorter values would mask half of what is said. */
const SHORTEST_MASKED = 4

/** Which settings of which plugins are secret, as their schemas say. */
export class Secrets {
  readonly #marks = new Map<string, readonly Mark[]>()
  readonly #values: Set<string>
  #views = new WeakMap<object, { readonly [plugin: string]: unknown }>()
  #echoes = new WeakMap<object, readonly string[]>()

  /** @param values of the config that came from the environment */
  constructor(values: Iterable<string> = []) {
    this.#values = new Set(values)
  }

  /** Reads the marks of a plugin's schema. */
  learn(plugin: AnyPlugin): void {
    this.#note(plugin.name, marksOf(readableSettingsSchema(plugin) ?? {}))
  }

  /** Of a plugin whose schema is not known yet, all settings are kept from the others. */
  hide(plugin: string): void {
    this.#note(plugin, [WHOLE])
  }

  #note(plugin: string, marks: readonly Mark[]): void {
    this.#marks.set(plugin, marks)
    this.#forget()
  }

  #forget(): void {
    this.#views = new WeakMap()
    this.#echoes = new WeakMap()
  }

  /** Values that are secret from here on, wherever they stand. */
  keep(values: Iterable<string>): void {
    for (const value of values) this.#values.add(value)
    this.#forget()
  }

  /** Settings that a schema names a variable for, filled from it where the config has none. */
  fill(config: Config, variables: Variables): Config {
    let settings: { readonly [plugin: string]: Settings } = config.settings ?? {}
    for (const { plugin, path, variable, isSecret } of this.#variables()) {
      const value = variables[variable]
      if (!value || valuesAt(settings[plugin], path).length > 0) continue
      // From here on it is as secret as if the config had it.
      if (isSecret) this.#values.add(value)
      settings = { ...settings, [plugin]: withValue(settings[plugin], path, value) as Settings }
    }
    return settings === config.settings || Object.keys(settings).length === 0
      ? config
      : { ...config, settings }
  }

  *#variables() {
    for (const [plugin, marks] of this.#marks) {
      for (const { path, variable, isSecret } of marks) {
        if (variable !== undefined && !path.includes(EACH))
          yield { plugin, path, variable, isSecret }
      }
    }
  }

  /** The config as one plugin sees it: every other plugin's secrets are `{"$secret": true}`. */
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

  /** A function that takes every secret of a config out of a text. Most requests have none to mask. */
  textMask(config: Config): (text: string) => string {
    let secrets: readonly string[] | undefined
    return (text) => {
      secrets ??= this.#secretsIn(config)
      return secrets.reduce((masked, secret) => masked.replaceAll(secret, '***'), text)
    }
  }

  /** What an answer must not have, the longest first: the secrets of a config that no honest answer says. */
  echoes({ settings = {}, model }: Config): readonly string[] {
    const known = this.#echoes.get(settings)
    if (known) return known
    const given = [...this.#values].filter((value) => value !== model && isLikeToken(value))
    const echoes = echoesOf([...given, ...this.#marked(settings, isSecretName)])
    this.#echoes.set(settings, echoes)
    return echoes
  }

  /** Longest first: one secret may be the head of another. */
  #secretsIn({ settings = {} }: Config): readonly string[] {
    const secrets = [...this.#values, ...this.#marked(settings)]
    return [...new Set(secrets)]
      .filter((value) => value.length >= SHORTEST_MASKED)
      .sort((left, right) => right.length - left.length)
  }

  #maskedSettings(settings: NonNullable<Config['settings']>): {
    readonly [plugin: string]: unknown
  } {
    const known = this.#views.get(settings)
    if (known) return known
    let masked: { readonly [plugin: string]: unknown } = settings
    for (const [plugin, value] of Object.entries(settings)) {
      const paths = (this.#marks.get(plugin) ?? []).filter((mark) => mark.isSecret)
      const marked = paths.reduce<unknown>(
        (whole, { path }) => (valuesAt(whole, path).length > 0 ? maskAt(whole, path) : whole),
        value,
      )
      const view = this.#values.size > 0 ? maskValues(marked, this.#values) : marked
      if (view !== value) masked = { ...masked, [plugin]: view }
    }
    this.#views.set(settings, masked)
    return masked
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

/** The values at a path; several where it leads through lists or maps. */
function valuesAt(value: unknown, [key, ...rest]: readonly string[]): readonly unknown[] {
  if (value === undefined || key === undefined) return value === undefined ? [] : [value]
  if (key === EACH) return innerOf(value).flatMap((inner) => valuesAt(inner, rest))
  return isObject(value) && Object.hasOwn(value, key) ? valuesAt(value[key], rest) : []
}

function innerOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value
  return isObject(value) ? Object.values(value) : []
}

/** The same with each value at a path that is there masked. */
function maskAt(whole: unknown, [key, ...rest]: readonly string[]): unknown {
  if (whole === undefined) return undefined
  if (key === undefined) return MASKED
  if (key === EACH && Array.isArray(whole)) return whole.map((inner) => maskAt(inner, rest))
  if (!isObject(whole)) return whole
  const keys = key === EACH ? Object.keys(whole) : [key].filter((own) => Object.hasOwn(whole, own))
  return { ...whole, ...Object.fromEntries(keys.map((own) => [own, maskAt(whole[own], rest)])) }
}

function withValue(whole: unknown, path: readonly string[], value: unknown): unknown {
  const [key, ...rest] = path
  if (key === undefined) return value
  const object = isObject(whole) ? whole : {}
  return { ...object, [key]: withValue(object[key], rest, value) }
}

function maskValues(value: unknown, secrets: ReadonlySet<string>): unknown {
  if (typeof value === 'string') return secrets.has(value) ? MASKED : value
  if (Array.isArray(value)) return value.map((inner) => maskValues(inner, secrets))
  if (!isObject(value)) return value
  const masked = Object.entries(value).map(([key, inner]) => [key, maskValues(inner, secrets)])
  return Object.fromEntries(masked)
}

/** How deep a log line is looked through; what is nested deeper stays as it is. */
const DEEPEST_TEXT = 8

/** A value with every text in it changed; an error that says what must change is its text. */
export function mapTexts(value: unknown, change: (text: string) => string, depth = 0): unknown {
  const map = (inner: unknown) => mapTexts(inner, change, depth + 1)
  if (typeof value === 'string') return change(value)
  if (depth > DEEPEST_TEXT) return value
  if (Array.isArray(value)) return value.map(map)
  if (value instanceof Error) {
    const text = messageOf(value)
    return change(text) === text ? value : change(text)
  }
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, map(inner)]))
}

/** The texts of a value; of a map those under names that are meant. */
function stringsIn(value: unknown, isMeant: (name: string) => boolean): string[] {
  if (typeof value === 'string') return [value]
  if (Array.isArray(value)) return value.flatMap((inner) => stringsIn(inner, isMeant))
  if (!isObject(value)) return []
  const meant = Object.entries(value).filter(([name]) => isMeant(name))
  return meant.flatMap(([, inner]) => stringsIn(inner, isMeant))
}
