import { findJsonFault, HostError, isObject, type JsonObject, pointerOf } from '@braidwork/plugin'
import { conversationIdFault } from './conversation-id.ts'
import { quoted, tame } from './quoted.ts'

type Path = readonly (string | number)[]

/**
 * Field names that only the server may decide about, in lower case and without separators. A request with one of
 * them is refused, so that no client believes the field had an effect.
 */
const REFUSED: ReadonlySet<string> = new Set([
  'apibase',
  'apikey',
  'authorization',
  'basepath',
  'baseurl',
  'baseurls',
  'command',
  'cwd',
  'disabledplugins',
  'enabledplugins',
  'endpoint',
  'forceenabledplugins',
  'interpreter',
  'limits',
  'path',
  'paths',
  'plugin',
  'plugins',
  'provider',
  'providers',
  'python',
  'secret',
  'secrets',
  'settings',
  'toolnames',
])

/** The number of unread fields that are named, of one object or of all below it. */
export const MOST_NAMES = 50

/** Creates an error for an invalid request: the place of the fault, and a message that says what to do. */
export function requestInvalid(path: Path, message: string): HostError {
  return new HostError('REQUEST_INVALID', message, { pointer: pointerOf(path) })
}

/**
 * Opens a request's body for reading.
 * @throws {HostError} REQUEST_INVALID if the body is not an object, is nested too deeply, or has a field that only
 * the server may decide about
 */
export function fieldsOf(body: unknown): Fields {
  if (!isObject(body)) throw requestInvalid([], 'The body must be a JSON object.')
  const fault = findJsonFault(body)
  if (fault) {
    const { reason, pointer } = fault
    throw new HostError('REQUEST_INVALID', `The body cannot be read: ${reason}.`, { pointer })
  }
  return settingsIn(body, [])
}

/**
 * Opens an object inside a checked body that may contain settings.
 * @throws {HostError} REQUEST_INVALID if it has a field that only the server may decide about
 */
export function settingsIn(body: JsonObject, path: Path): Fields {
  const refused = Object.keys(body).find(
    (name) => REFUSED.has(name.replaceAll(/[-_]/g, '').toLowerCase()) && body[name] !== null,
  )
  if (refused !== undefined) {
    throw requestInvalid(
      [...path, refused],
      `"${refused}" can be set on the server only. Leave it out.`,
    )
  }
  return new Fields(body, path)
}

/** Reads an object of a request field by field and remembers which fields were read. `null` counts as absent. */
export class Fields {
  readonly path: Path
  readonly #value: JsonObject
  readonly #read = new Set<string>()
  readonly #opened = new Map<string, Fields | readonly Fields[]>()
  #isLeft = false

  constructor(value: unknown, path: Path) {
    if (!isObject(value))
      throw requestInvalid(path, `This value must be an object, not ${quoted(value)}.`)
    this.#value = value
    this.path = path
  }

  /** Returns a value of any type. */
  any(name: string): unknown {
    this.#read.add(name)
    // Read own properties only: inherited ones are not part of the request.
    return Object.hasOwn(this.#value, name) ? (this.#value[name] ?? undefined) : undefined
  }

  /** Whether a value is this one. Another value counts as unread. */
  is(name: string, value: boolean | string): boolean {
    return this.#value[name] === value && this.any(name) === value
  }

  text(name: string): string | undefined {
    const value = this.any(name)
    if (value === undefined || typeof value === 'string') return value
    throw this.fault(name, `must be a string, not ${quoted(value)}`)
  }

  /** Reads a string that must be present and not empty. */
  need(name: string): string {
    const value = this.text(name)
    if (value) return value
    throw this.fault(name, `is ${value === '' ? 'empty' : 'missing'}; give a string`)
  }

  /** Reads a client's id for a conversation. An empty id counts as absent. */
  conversationId(name: string): string | undefined {
    const id = this.text(name) || undefined
    const fault = id === undefined ? undefined : conversationIdFault(id)
    if (fault !== undefined) throw this.fault(name, fault)
    return id
  }

  flag(name: string): boolean | undefined {
    const value = this.any(name)
    if (value === undefined || typeof value === 'boolean') return value
    throw this.fault(name, `must be true or false, not ${quoted(value)}`)
  }

  number(name: string, least: number, most: number): number | undefined {
    const value = this.any(name)
    if (value === undefined) return undefined
    if (typeof value === 'number' && value >= least && value <= most) return value
    throw this.fault(name, `must be a number from ${least} to ${most}, not ${quoted(value)}`)
  }

  integer(name: string, least: number): number | undefined {
    const value = this.any(name)
    if (value === undefined) return undefined
    if (Number.isSafeInteger(value) && (value as number) >= least) return value as number
    throw this.fault(name, `must be a whole number of at least ${least}, not ${quoted(value)}`)
  }

  oneOf<T extends string>(name: string, known: readonly T[]): T | undefined {
    const value = this.any(name)
    if (value === undefined) return undefined
    const found = known.find((one) => one === value)
    if (found !== undefined) return found
    throw this.fault(name, `must be one of ${known.join(', ')}, not ${quoted(value)}`)
  }

  object(name: string): Fields | undefined {
    const value = this.any(name)
    if (value === undefined) return undefined
    return this.#open(name, () => new Fields(value, [...this.path, name]))
  }

  /** Reads an object without opening it, such as a schema. */
  raw(name: string): JsonObject | undefined {
    const value = this.any(name)
    if (value === undefined || isObject(value)) return value
    throw this.fault(name, `must be an object, not ${quoted(value)}`)
  }

  /** Reads a list of objects. */
  list(name: string): readonly Fields[] | undefined {
    const value = this.any(name)
    if (value === undefined) return undefined
    if (!Array.isArray(value)) throw this.fault(name, `must be a list, not ${quoted(value)}`)
    return this.#open(name, () =>
      value.map((item, index) => new Fields(item, [...this.path, name, index])),
    )
  }

  /** Reads a string, or a list of objects. */
  textOrList(name: string): string | readonly Fields[] | undefined {
    const value = this.any(name)
    if (typeof value === 'string') return value
    if (value === undefined || Array.isArray(value)) return this.list(name)
    throw this.fault(name, `must be a string or a list, not ${quoted(value)}`)
  }

  /** Opens what is below a name once, so that all its readers share what was read. */
  #open<T extends Fields | readonly Fields[]>(name: string, open: () => T): T {
    const opened = (this.#opened.get(name) as T | undefined) ?? open()
    this.#opened.set(name, opened)
    return opened
  }

  /** The objects that were opened below this one, with their names. None if it was left out. */
  get opened(): Iterable<readonly [string, Fields | readonly Fields[]]> {
    return this.#isLeft ? [] : this.#opened
  }

  /** Leaves this object out of the names of unread fields, because it is named as a whole, or not to be named. */
  leave(): void {
    this.#isLeft = true
  }

  /** Reads a list of strings, or a single one. An empty list counts as absent. */
  texts(name: string): readonly string[] | undefined {
    const value = this.any(name)
    if (value === undefined) return undefined
    const texts: readonly unknown[] = Array.isArray(value) ? value : [value]
    const wrong = texts.find((text) => typeof text !== 'string' || text === '')
    if (wrong === undefined) return texts.length > 0 ? (texts as readonly string[]) : undefined
    throw this.fault(
      name,
      `must be a non-empty string or a list of non-empty strings, not ${quoted(wrong)}`,
    )
  }

  /** Refuses fields that nobody has read, of an object that must not have others. @throws {HostError} REQUEST_INVALID */
  assertRead(): void {
    const [name] = this.unread()
    const known = [...this.#read].join(', ')
    if (name !== undefined) throw this.fault(name, `is unknown here. Known fields: ${known}`)
  }

  /**
   * Returns the names of fields that are present but were not read, except those in `neutral` with the same value.
   * The names go into a header, so their form and number are restricted.
   */
  unread(neutral: { readonly [name: string]: unknown } = {}): string[] {
    if (this.#isLeft) return []
    const names = Object.keys(this.#value).filter((name) => {
      const value = this.#value[name]
      if (this.#read.has(name) || value === null || value === undefined) return false
      return tame(name) === name && !(Object.hasOwn(neutral, name) && neutral[name] === value)
    })
    return names.slice(0, MOST_NAMES)
  }

  /** @param fault the end of a sentence that begins with the field's name */
  fault(name: string, fault: string): HostError {
    return requestInvalid([...this.path, name], `"${name}" ${fault}.`)
  }
}
