import { didYouMean } from '@braidwork/core/internal'
import { HostError, isObject, type JsonObject, pointerOf } from '@braidwork/plugin'
import { conversationIdFault } from './wire/index.ts'

const LONGEST_TEXT = 10_000

/** Fields of what a client sent to the server's own addresses. @throws {HostError} REQUEST_INVALID */
export class Input {
  readonly #value: JsonObject

  /** @param known all fields that there are, where others are refused */
  constructor(value: unknown, known?: readonly string[]) {
    if (!isObject(value)) throw new HostError('REQUEST_INVALID', 'The body is no JSON object.')
    for (const key of known ? Object.keys(value) : []) {
      if (!known?.includes(key)) throw unknownField(key, known ?? [])
    }
    this.#value = value
  }

  text(key: string, longest = LONGEST_TEXT): string | undefined {
    const value = this.#own(key)
    if (value === undefined || (typeof value === 'string' && value.length <= longest)) return value
    throw fault(key, `a text of at most ${longest} characters`)
  }

  /** The id of a conversation that is to be created. */
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
    throw fault(key, 'a whole number from 1 up')
  }

  object(key: string): JsonObject | undefined {
    const value = this.#own(key)
    if (value === undefined || isObject(value)) return value
    throw fault(key, 'an object')
  }

  /** A member that is there, read; nothing where it is not. */
  given<K extends string, V>(key: K, read: (key: K) => V): { readonly [P in K]?: V } {
    if (this.#own(key) === undefined) return {}
    return { [key]: read(key) } as { readonly [P in K]: V }
  }

  #own(key: string): unknown {
    return Object.hasOwn(this.#value, key) ? this.#value[key] : undefined
  }
}

function unknownField(key: string, known: readonly string[]): HostError {
  const name = key.slice(0, 100)
  const message = `There is no field "${name}" here.${didYouMean(name, known)} There is ${known.join(', ')}.`
  return new HostError('REQUEST_INVALID', message, { pointer: pointerOf([name]) })
}

function fault(key: string, kind: string): HostError {
  return new HostError('REQUEST_INVALID', `"${key}" is ${kind}.`, { pointer: `/${key}` })
}
