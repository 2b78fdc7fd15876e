import { didYouMean } from '@braidwork/core/internal'
import { HostError, isObject, type JsonObject, pointerOf } from '@braidwork/plugin'
import { conversationIdFault } from './wire/index.ts'

const LONGEST_TEXT = 10_000
const MOST_TEXTS = 1000

/** Reads the fields of a request to the server's own routes. @throws {HostError} REQUEST_INVALID */
export class OwnFields {
  readonly #value: JsonObject

  /** @param known the names of all allowed fields; without it, unknown fields are ignored */
  constructor(value: unknown, known?: readonly string[]) {
    if (!isObject(value)) throw new HostError('REQUEST_INVALID', 'The body must be a JSON object.')
    if (known) assertKnown(value, known)
    this.#value = value
  }

  text(key: string, longest = LONGEST_TEXT): string | undefined {
    const value = this.#own(key)
    if (value === undefined || (typeof value === 'string' && value.length <= longest)) return value
    throw fault(key, `a string of at most ${longest} characters`)
  }

  /** Reads the id for a new conversation. */
  conversationId(key: string): string | undefined {
    const id = this.text(key)
    const wrong = id === undefined ? undefined : conversationIdFault(id)
    if (wrong === undefined) return id
    throw new HostError('REQUEST_INVALID', `"${key}" ${wrong}.`, { pointer: `/${key}` })
  }

  nullableText(key: string, longest = LONGEST_TEXT): string | null {
    return this.#own(key) === null ? null : (this.text(key, longest) ?? null)
  }

  count(key: string): number | undefined {
    const value = this.#own(key)
    if (value === undefined) return undefined
    const count = Number(value)
    if (Number.isSafeInteger(count) && count > 0) return count
    throw fault(key, 'a whole number of at least 1')
  }

  object(key: string): JsonObject | undefined {
    const value = this.#own(key)
    if (value === undefined || isObject(value)) return value
    throw fault(key, 'an object')
  }

  /** A list of texts. */
  texts(key: string): readonly string[] | undefined {
    const value = this.#own(key)
    if (value === undefined) return undefined
    const isTexts = Array.isArray(value) && value.every((one) => typeof one === 'string')
    if (isTexts && value.length <= MOST_TEXTS) return value
    throw fault(key, `a list of at most ${MOST_TEXTS} strings`)
  }

  /** Reads a field if it is present; otherwise returns an empty object. */
  given<K extends string, V>(key: K, read: (key: K) => V): { readonly [P in K]?: V } {
    if (this.#own(key) === undefined) return {}
    return { [key]: read(key) } as { readonly [P in K]: V }
  }

  #own(key: string): unknown {
    return Object.hasOwn(this.#value, key) ? this.#value[key] : undefined
  }
}

/** Refuses fields that are not known. @throws {HostError} REQUEST_INVALID, which names the first of them */
export function assertKnown(value: object, known: readonly string[]): void {
  for (const key of Object.keys(value)) if (!known.includes(key)) throw unknownField(key, known)
}

function unknownField(key: string, known: readonly string[]): HostError {
  const name = key.slice(0, 100)
  const message = `The field "${name}" is unknown here.${didYouMean(name, known)} Known fields: ${known.join(', ')}.`
  return new HostError('REQUEST_INVALID', message, { pointer: pointerOf([name]) })
}

function fault(key: string, kind: string): HostError {
  return new HostError('REQUEST_INVALID', `"${key}" must be ${kind}.`, { pointer: `/${key}` })
}
