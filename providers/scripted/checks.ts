import { settingError } from './errors.ts'

/** Throws if a value is invalid. `pointer` is the value's JSON pointer. */
export type Check = (value: unknown, pointer: string) => void

export const isText: Check = (value, pointer) => {
  if (typeof value !== 'string') throw settingError(pointer, 'it must be a text')
}

export const isJson: Check = () => undefined

export const isFlag: Check = (value, pointer) => {
  if (typeof value !== 'boolean') throw settingError(pointer, 'it must be true or false')
}

export function isNumber(least: number, options: { whole: boolean } = { whole: true }): Check {
  const kind = options.whole ? 'whole number' : 'number'
  return (value, pointer) => {
    const right = options.whole ? Number.isSafeInteger(value) : Number.isFinite(value)
    if (!right || (value as number) < least) {
      throw settingError(pointer, `it must be a ${kind} from ${least} up`)
    }
  }
}

export function isOneOf(values: readonly string[]): Check {
  return (value, pointer) => {
    if (!values.includes(value as string)) {
      throw settingError(pointer, `${JSON.stringify(value)} is not one of ${values.join(', ')}`)
    }
  }
}

export function isListOf(item: Check): Check {
  return (value, pointer) => {
    if (!Array.isArray(value)) throw settingError(pointer, 'it must be an array')
    for (const [index, inner] of value.entries()) item(inner, `${pointer}/${index}`)
  }
}

/** Checks an object that may have these keys only. */
export function isShape(
  fields: { readonly [key: string]: Check },
  required: readonly string[] = [],
): Check {
  return (value, pointer) => {
    isRecord(value, pointer)
    for (const [key, inner] of Object.entries(value as object)) {
      const check = Object.hasOwn(fields, key) ? fields[key] : undefined
      if (!check) {
        const known = Object.keys(fields).join(', ')
        throw settingError(
          `${pointer}/${escapeKey(key)}`,
          `the key is unknown; known keys are ${known}`,
        )
      }
      check(inner, `${pointer}/${escapeKey(key)}`)
    }
    const missing = required.find((key) => !Object.hasOwn(value as object, key))
    if (missing !== undefined) throw settingError(pointer, `"${missing}" is missing`)
  }
}

export const isRecord: Check = (value, pointer) => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw settingError(pointer, 'it must be an object')
  }
}

/** Applies the first check to values of the given type, and the second to all others. */
export function isEither(type: 'string' | 'number', first: Check, second: Check): Check {
  return (value, pointer) =>
    typeof value === type ? first(value, pointer) : second(value, pointer)
}

function escapeKey(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1')
}
