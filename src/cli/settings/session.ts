import { type ConfigLayer, type Host, mergeLayers, type SettingsDocument } from '@braidwork/core'
import {
  editLayer,
  isUnchanged,
  keysGone,
  marksOf,
  readableSettingsSchema,
  withMember,
  withoutDefaults,
} from '@braidwork/core/internal'
import { isObject, type JsonObject, pointerOf } from '@braidwork/plugin'
import { type Field, schemaAt, valueIn } from './fields.ts'

/** A value that a person gave, beside the one that the form showed first. */
interface Given {
  readonly path: readonly string[]
  readonly before: unknown
  readonly value: unknown
  readonly schema: JsonObject
  /** Where layers replace a value whole that this is a part of: what was shown of it first. */
  readonly whole: unknown
}

export interface SessionOptions {
  /** With a config of its own that is empty: what counts is handed to it each time. */
  readonly host: Host
  /** What stands below the file that is edited, merged. */
  readonly below: ConfigLayer
  /** What the file says before. */
  readonly own: ConfigLayer
  readonly locale: string
}

/** Stands for a secret that is set, whose value no form is shown. */
const SET = Object.freeze({ isSet: true })

/** The settings as a person fills them in: what was given, and the document for it. */
export class EditSession {
  readonly #options: SessionOptions
  readonly #given = new Map<string, Given>()
  #document: SettingsDocument

  private constructor(options: SessionOptions, document: SettingsDocument) {
    this.#options = options
    this.#document = document
  }

  /** @throws {HostError} where there is no document for the config, as without a provider */
  static async open(options: SessionOptions): Promise<EditSession> {
    return new EditSession(options, await documentFor(options, options.own))
  }

  get document(): SettingsDocument {
    return this.#document
  }

  get own(): ConfigLayer {
    return this.#options.own
  }

  /** What the file is to say. */
  get edited(): ConfigLayer {
    return this.#with(this.#given)
  }

  isChanged(pointer: string): boolean {
    return this.#given.has(pointer)
  }

  /** How many fields of a plugin were changed, or of the host. */
  countOf(plugin: string | undefined): number {
    const owners = [...this.#given.values()].map(({ path: [top, name] }) =>
      top === 'settings' ? name : undefined,
    )
    return owners.filter((owner) => owner === plugin).length
  }

  /** The variable that a secret is read from where the config has none. */
  variableOf({ path }: Field): string | undefined {
    const [, name, ...keys] = path
    const plugin = this.#options.host.plugins.find((one) => one.name === name)
    const marks = plugin ? marksOf(readableSettingsSchema(plugin) ?? {}) : []
    return marks.find((mark) => pointerOf(mark.path) === pointerOf(keys))?.variable
  }

  /**
   * A field with another value, or with none of its own. The document is asked for again where it depends
   * on that.
   * @throws {HostError} where there is no document for it; nothing changed then
   */
  async set(field: Field, value: unknown): Promise<void> {
    const { pointer, path } = field
    const known = this.#given.get(pointer)
    const before = known ? known.before : this.#shown(field)
    const given = this.#givenWithout(field, value)
    if (isUnchanged(before, value)) given.delete(pointer)
    else {
      const whole = known ? known.whole : this.#wholeOf(field)
      given.set(pointer, { path, before, value, whole, schema: field.schema })
    }
    if (value === undefined || field.isSecret || this.#isDependedOn(pointer)) {
      this.#document = await documentFor(this.#options, this.#with(given))
    } else {
      const data = withValue(this.#document.data, path, value) as JsonObject
      this.#document = { ...this.#document, data }
    }
    this.#given.clear()
    for (const [key, one] of given) this.#given.set(key, one)
  }

  /** What was given, but for what a setting that becomes one of another kind then no longer has. */
  #givenWithout({ path, schema }: Field, value: unknown): Map<string, Given> {
    const gone = keysGone(schema, valueIn(this.#document.data, path), value)
    const above = path.slice(0, -1)
    const isGone = (pointer: string) =>
      gone.some((key) => `${pointer}/`.startsWith(`${pointerOf([...above, key])}/`))
    return new Map([...this.#given].filter(([pointer]) => !isGone(pointer)))
  }

  #wholeOf({ path }: Field): unknown {
    const keys = wholePath(path)
    const { data, schema } = this.#document
    return withoutDefaults(valueIn(data, keys), schemaAt(schema, keys).schema)
  }

  /** Asks the provider's API for its models. */
  async refreshModels(): Promise<readonly string[]> {
    const models = await this.#options.host.refreshModels(this.#config())
    this.#document = await documentFor(this.#options, this.edited)
    return models
  }

  /** Runs an action; the document may be another after it. */
  async runAction(
    action: { readonly plugin: string; readonly id: string },
    input: unknown,
    signal: AbortSignal,
  ): Promise<unknown> {
    const { host } = this.#options
    const result = await host.runAction(action.plugin, action.id, input, this.#config(), { signal })
    this.#document = await documentFor(this.#options, this.edited)
    return result
  }

  /** A config of this host with its secrets as `{"$secret": true}`. */
  masked(config: ConfigLayer): unknown {
    return this.#options.host.masked(config)
  }

  #config(): ConfigLayer {
    return configFor(this.#options, this.edited)
  }

  /** Whether there is a value that is not shown. */
  isSet(pointer: string): boolean {
    return this.#document.sections.some(({ secretsSet }) => secretsSet.includes(pointer))
  }

  #shown({ path, pointer }: Field): unknown {
    return this.isSet(pointer) ? SET : valueIn(this.#document.data, path)
  }

  #isDependedOn(pointer: string): boolean {
    return this.#document.recomputeOn.some(
      (read) => `${pointer}/`.startsWith(`${read}/`) || read.startsWith(`${pointer}/`),
    )
  }

  #with(given: ReadonlyMap<string, Given>): ConfigLayer {
    const all = [...given.values()]
    const before = all.reduce<unknown>((data, one) => withValue(data, one.path, one.before), {})
    const after = all.reduce<unknown>((data, one) => withValue(data, one.path, one.value), {})
    const { below, own } = this.#options
    const base = all.reduce((layer, one) => withWhole(layer, below, one), own)
    const schema = all.reduce<JsonObject>(
      (whole, one) => withMember(whole, one.path, one.schema),
      {},
    )
    return editLayer(base, { data: before as JsonObject, schema }, after as JsonObject, below)
  }
}

function documentFor(options: SessionOptions, layer: ConfigLayer): Promise<SettingsDocument> {
  return options.host.uiSchema(configFor(options, layer), { locale: options.locale })
}

/** The config that counts with a layer as the file's. A variable that is not set stays a reference. */
function configFor({ host, below }: SessionOptions, layer: ConfigLayer): ConfigLayer {
  const { plugins: _, ...merged } = mergeLayers(below, layer)
  return host.filled(merged)
}

/** How many keys deep layers are merged; what is nested deeper is replaced whole. CL-19 */
const MERGED_DEPTH: { readonly [key: string]: number } = { settings: 3, limits: 2, switches: 2 }

function wholePath(path: readonly string[]): readonly string[] {
  return path.slice(0, MERGED_DEPTH[path[0] ?? ''] ?? 1)
}

/** A layer in which a value that is changed within stands whole, so that no part of it replaces the one below. */
function withWhole(layer: ConfigLayer, below: ConfigLayer, { path, whole }: Given): ConfigLayer {
  const keys = wholePath(path)
  const known = valueIn(below, keys) ?? whole
  if (keys.length === path.length || valueIn(layer, keys) !== undefined || !isObject(known))
    return layer
  return withValue(layer, keys, known) as ConfigLayer
}

/** The same with a value at keys, or without one. */
function withValue(whole: unknown, [key, ...rest]: readonly string[], value: unknown): unknown {
  if (key === undefined) return value
  const { [key]: own, ...others } = isObject(whole) ? whole : {}
  const inner = withValue(own, rest, value)
  return inner === undefined ? others : { ...others, [key]: inner }
}
