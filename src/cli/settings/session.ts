import { isDeepStrictEqual } from 'node:util'
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

/** A value that a person entered, with the value that the form showed at first. */
interface Given {
  readonly path: readonly string[]
  readonly before: unknown
  readonly value: unknown
  readonly schema: JsonObject
  /** The whole object or list that contains the value, as shown at first. It is set if layers replace it as a whole. */
  readonly whole: unknown
}

export interface SessionOptions {
  /** A host whose own config is empty: each call passes it the merged config. */
  readonly host: Host
  /** The merged layers below the edited file. */
  readonly below: ConfigLayer
  /** The content of the edited file before the edit. */
  readonly own: ConfigLayer
  readonly locale: string
}

/** Stands for a secret that is set. No form shows the secret itself. */
const SET = Object.freeze({ isSet: true })

/** An edit of the settings: the values that the person entered, and the settings document for them. */
export class EditSession {
  readonly #options: SessionOptions
  readonly #given = new Map<string, Given>()
  #document: SettingsDocument

  private constructor(options: SessionOptions, document: SettingsDocument) {
    this.#options = options
    this.#document = document
  }

  /** @throws {HostError} if there is no document for the config, for example because it has no provider */
  static async open(options: SessionOptions): Promise<EditSession> {
    return new EditSession(options, await documentFor(options, options.own))
  }

  get document(): SettingsDocument {
    return this.#document
  }

  get own(): ConfigLayer {
    return this.#options.own
  }

  /** The new content of the file. */
  get edited(): ConfigLayer {
    return this.#with(this.#given)
  }

  get hasChanges(): boolean {
    return this.#given.size > 0
  }

  isChanged(pointer: string): boolean {
    return this.#given.has(pointer)
  }

  /** The number of changed fields of a plugin; of the host if `plugin` is undefined. */
  countOf(plugin: string | undefined): number {
    const owners = [...this.#given.values()].map(({ path: [top, name] }) =>
      top === 'settings' ? name : undefined,
    )
    return owners.filter((owner) => owner === plugin).length
  }

  /** The environment variable that a secret is read from when the config does not set it. */
  variableOf({ path }: Field): string | undefined {
    const [, name, ...keys] = path
    const plugin = this.#options.host.plugins.find((one) => one.name === name)
    const marks = plugin ? marksOf(readableSettingsSchema(plugin) ?? {}) : []
    return marks.find(({ path: marked }) => isDeepStrictEqual(marked, keys))?.variable
  }

  /**
   * Sets a field to a value, or removes its value. Renews the document if the document depends on the field.
   * @throws {HostError} if there is no document for the new value; the session is then unchanged
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

  /** The entered values, without those that a setting loses when this value changes its variant. */
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

  /** Runs an action, and renews the document, which the action may change. */
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

  /** A config of this host with each secret replaced by `{"$secret": true}`. */
  masked(config: ConfigLayer): unknown {
    return this.#options.host.masked(config)
  }

  #config(): ConfigLayer {
    return configFor(this.#options, this.edited)
  }

  /** Whether the pointer has a value, even one that is not shown. */
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

/** The merged config with `layer` in the file's place. A reference to an unset variable stays a reference. */
function configFor({ host, below }: SessionOptions, layer: ConfigLayer): ConfigLayer {
  const { plugins: _, ...merged } = mergeLayers(below, layer)
  return host.filled(merged)
}

/** The depth in keys to which layers are merged. Deeper values are replaced as a whole. CL-19 */
const MERGED_DEPTH: { readonly [key: string]: number } = { settings: 3, limits: 2, switches: 2 }

function wholePath(path: readonly string[]): readonly string[] {
  return path.slice(0, MERGED_DEPTH[path[0] ?? ''] ?? 1)
}

/** A layer that contains the whole of a partly changed value: a part alone would replace the whole one below. */
function withWhole(layer: ConfigLayer, below: ConfigLayer, { path, whole }: Given): ConfigLayer {
  const keys = wholePath(path)
  const known = valueIn(below, keys) ?? whole
  if (keys.length === path.length || valueIn(layer, keys) !== undefined || !isObject(known))
    return layer
  return withValue(layer, keys, known) as ConfigLayer
}

/** Copies `whole`, and sets the value at a path of keys. Removes the last key if `value` is undefined. */
function withValue(whole: unknown, [key, ...rest]: readonly string[], value: unknown): unknown {
  if (key === undefined) return value
  const { [key]: own, ...others } = isObject(whole) ? whole : {}
  const inner = withValue(own, rest, value)
  return inner === undefined ? others : { ...others, [key]: inner }
}
