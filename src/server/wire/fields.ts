import { findJsonFault, HostError, isObject, type JsonObject, pointerOf } from '@braidwork/plugin'
import { conversationIdFault } from './conversation-id.ts'

type Path = readonly (string | number)[]

/**
 * What the server alone decides, as the letters of a field's name: a request that brings it is refused,
 * so that nobody believes that it had an effect. DESIGN 6
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

const TAME_NAME = /^[\w.-]{1,64}$/
const MOST_NAMES = 50

/** What is wrong with a request, where, and what to do. */
export function requestInvalid(path: Path, message: string): HostError {
  return new HostError('REQUEST_INVALID', message, { pointer: pointerOf(path) })
}

/** A name or a value of a client in a sentence, as short as it has to be. */
export function quoted(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value)
  return text.length > 80 ? `${text.slice(0, 80)}…` : text
}

/** A name for the list of what is ignored, which goes into a header. */
export function tame(name: string): string {
  return TAME_NAME.test(name) ? name : 'unknown'
}

/** Arguments of a call as a value; what is no JSON, or too deep, stays a text, as the model wrote it. */
export function argumentsIn(text: string): unknown {
  if (text.trim() === '') return {}
  try {
    const value: unknown = JSON.parse(text)
    return findJsonFault(value) ? text : value
  } catch {
    return text
  }
}

/**
 * The fields of a request's body.
 * @throws {HostError} REQUEST_INVALID: it is no object, too deep, or names what the server alone decides
 */
export function fieldsOf(body: unknown): Fields {
  if (!isObject(body)) throw requestInvalid([], 'The body is a JSON object.')
  const fault = findJsonFault(body)
  if (fault) {
    throw new HostError('REQUEST_INVALID', `The body cannot be read: ${fault.reason}.`, {
      pointer: fault.pointer,
    })
  }
  return settingsIn(body, [])
}

/**
 * An object that may bring settings, at this place of a body that was read.
 * @throws {HostError} REQUEST_INVALID: it names what the server alone decides
 */
export function settingsIn(body: JsonObject, path: Path): Fields {
  const refused = Object.keys(body).find(
    (name) => REFUSED.has(name.replaceAll(/[-_]/g, '').toLowerCase()) && body[name] !== null,
  )
  if (refused !== undefined) {
    throw requestInvalid(
      [...path, refused],
      `"${refused}" is the server's to decide. Leave it out.`,
    )
  }
  return new Fields(body, path)
}

/** An object of a request, read field by field; `null` is absent. It knows what nobody read. */
export class Fields {
  readonly path: Path
  readonly #value: JsonObject
  readonly #read = new Set<string>()

  constructor(value: unknown, path: Path) {
    if (!isObject(value)) throw requestInvalid(path, `This is an object, not ${quoted(value)}.`)
    this.#value = value
    this.path = path
  }

  /** A value as it is. */
  any(name: string): unknown {
    this.#read.add(name)
    // Own fields alone: what every object has by its prototype is none of the request.
    return Object.hasOwn(this.#value, name) ? (this.#value[name] ?? undefined) : undefined
  }

  text(name: string): string | undefined {
    const value = this.any(name)
    if (value === undefined || typeof value === 'string') return value
    throw this.fault(name, `is a text, not ${quoted(value)}`)
  }

  /** A text that must be there. */
  need(name: string): string {
    const value = this.text(name)
    if (value === undefined || value === '') throw this.fault(name, 'is missing; give a text')
    return value
  }

  /** The id of a conversation that is to be kept; nothing where it is empty. */
  conversationId(name: string): string | undefined {
    const id = this.text(name) || undefined
    const fault = id === undefined ? undefined : conversationIdFault(id)
    if (fault !== undefined) throw this.fault(name, fault)
    return id
  }

  flag(name: string): boolean | undefined {
    const value = this.any(name)
    if (value === undefined || typeof value === 'boolean') return value
    throw this.fault(name, `is true or false, not ${quoted(value)}`)
  }

  number(name: string, least: number, most: number): number | undefined {
    const value = this.any(name)
    if (value === undefined) return undefined
    if (typeof value === 'number' && value >= least && value <= most) return value
    throw this.fault(name, `is a number from ${least} to ${most}, not ${quoted(value)}`)
  }

  integer(name: string, least: number): number | undefined {
    const value = this.any(name)
    if (value === undefined) return undefined
    if (Number.isSafeInteger(value) && (value as number) >= least) return value as number
    throw this.fault(name, `is a whole number from ${least} up, not ${quoted(value)}`)
  }

  oneOf<T extends string>(name: string, known: readonly T[]): T | undefined {
    const value = this.any(name)
    if (value === undefined) return undefined
    const found = known.find((one) => one === value)
    if (found !== undefined) return found
    throw this.fault(name, `is one of ${known.join(', ')}, not ${quoted(value)}`)
  }

  object(name: string): Fields | undefined {
    const value = this.any(name)
    return value === undefined ? undefined : new Fields(value, [...this.path, name])
  }

  /** An object as it is, such as a schema. */
  raw(name: string): JsonObject | undefined {
    const value = this.any(name)
    if (value === undefined || isObject(value)) return value
    throw this.fault(name, `is an object, not ${quoted(value)}`)
  }

  /** The objects of a list. */
  list(name: string): readonly Fields[] | undefined {
    const value = this.any(name)
    if (value === undefined) return undefined
    if (!Array.isArray(value)) throw this.fault(name, `is a list, not ${quoted(value)}`)
    return value.map((item, index) => new Fields(item, [...this.path, name, index]))
  }

  /** The texts of a list, or one alone; nothing where the list is empty. */
  texts(name: string): readonly string[] | undefined {
    const value = this.any(name)
    if (value === undefined) return undefined
    const texts: readonly unknown[] = Array.isArray(value) ? value : [value]
    const wrong = texts.find((text) => typeof text !== 'string' || text === '')
    if (wrong === undefined) return texts.length > 0 ? (texts as readonly string[]) : undefined
    throw this.fault(name, `is a text or a list of texts, not empty ones; ${quoted(wrong)} is none`)
  }

  /**
   * Names of fields that are there and that nobody has read, but for those that ask for what is done anyway.
   * They go into a header: only names that look like one, and not any number of them.
   */
  unread(neutral: { readonly [name: string]: unknown } = {}): string[] {
    const names = Object.keys(this.#value).filter((name) => {
      const value = this.#value[name]
      if (this.#read.has(name) || value === null || value === undefined) return false
      return TAME_NAME.test(name) && !(Object.hasOwn(neutral, name) && neutral[name] === value)
    })
    return names.slice(0, MOST_NAMES)
  }

  /** @param fault ends the sentence that begins with the field's name */
  fault(name: string, fault: string): HostError {
    return requestInvalid([...this.path, name], `"${name}" ${fault}.`)
  }
}

/** An object without the members that are undefined. */
export function defined<T extends object>(value: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  const known = Object.entries(value).filter(([, member]) => member !== undefined)
  return Object.fromEntries(known) as { [K in keyof T]: Exclude<T[K], undefined> }
}
