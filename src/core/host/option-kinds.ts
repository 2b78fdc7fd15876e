import { HostError, isObject } from '@braidwork/plugin'
import { isNearOne, refuseUnknown, unknownOption } from './option-names.ts'

/** Whether the value of an option is valid, and what it must be. */
export interface Kind {
  readonly has: (value: unknown) => boolean
  readonly expected: string
  /** Of an object: its members. Others are refused. */
  readonly members?: Kinds
  /** The object may be of a class with more members: of others, only those are refused whose names are nearly these. */
  readonly isOpen?: boolean
  /** Of a list: what each item must be. */
  readonly items?: Kind
}

export type Kinds = { readonly [name: string]: Kind }

const isTexts = (value: unknown) => isListOf(value, (one) => typeof one === 'string')

/** Checked where the value is used. */
export const ELSEWHERE: Kind = { has: () => true, expected: '' }
export const TEXT: Kind = { has: isText, expected: 'a text that is not empty' }
/** A text that may be empty. */
export const ANY_TEXT: Kind = { has: (value) => typeof value === 'string', expected: 'a text' }
export const ID: Kind = { has: isId, expected: 'a text that is not blank' }
export const TEXTS: Kind = { has: isTexts, expected: 'a list of texts' }
export const BOOLEAN: Kind = {
  has: (value) => typeof value === 'boolean',
  expected: 'true or false',
}
export const FUNCTION: Kind = {
  has: (value) => typeof value === 'function',
  expected: 'a function',
}
export const POSITIVE: Kind = {
  has: (value) => typeof value === 'number' && value > 0,
  expected: 'a number above 0',
}
export const DURATION: Kind = {
  has: (value) => typeof value === 'number' && value >= 0,
  expected: 'a number of milliseconds',
}
export const LIST: Kind = { has: Array.isArray, expected: 'a list' }
export const OBJECT: Kind = { has: isObject, expected: 'an object' }
/** Of a class, such as a host. */
export const INSTANCE: Kind = {
  has: (value) => Object(value) === value,
  expected: 'an object',
}

/** An object with these members, and no others. */
export function objectOf(members: Kinds): Kind {
  return { ...OBJECT, members }
}

/** A list of these. @param expected what the list must be */
export function listOf(items: Kind, expected: string): Kind {
  return { ...LIST, expected, items }
}

/** An object, perhaps of a class, that has these methods. @param what it is, such as `a storage` */
export function havingMethods(what: string, ...methods: readonly string[]): Kind {
  const has = (value: unknown) =>
    Object(value) === value &&
    methods.every((name) => typeof (value as { [name: string]: unknown })[name] === 'function')
  return { has, expected: `${what}, which has ${methods.map((name) => `"${name}"`).join(', ')}` }
}

/**
 * Checks the values of options that are given; one without a kind is checked elsewhere.
 * @param of what takes the options, such as `createHost` @param at the pointer of their place
 * @throws {HostError} OPTION_INVALID, with a pointer
 */
export function assertKinds(of: string, options: object, kinds: Kinds, at = ''): void {
  for (const name of Object.keys(options)) {
    const value = (options as { readonly [name: string]: unknown })[name]
    const kind = Object.hasOwn(kinds, name) ? kinds[name] : undefined
    if (!kind || value === undefined || isSound(value, kind)) continue
    assertKind(`"${name}" of ${of}`, value, kind, `${at}/${name}`)
  }
}

/** Whether a value has its kind, and nothing in it is to be checked: no text about its place is made for it. */
function isSound(value: unknown, { has, members, items }: Kind): boolean {
  return !members && !items && has(value)
}

function assertKind(what: string, value: unknown, kind: Kind, place: string): void {
  if (!kind.has(value)) throw invalidOption(`${what} must be ${kind.expected}.`, place)
  assertMembers(what, value as object, kind, place)
  const { items } = kind
  if (!items) return
  for (const [index, item] of (value as readonly unknown[]).entries())
    assertKind(`The item ${index} of ${what}`, item, items, `${place}/${index}`)
}

/** Refuses options that there are not, and values of another kind. @throws {HostError} OPTION_INVALID, with a pointer */
export function assertOptionKinds(of: string, options: object, kinds: Kinds): void {
  refuseUnknown(of, options, Object.keys(kinds))
  assertKinds(of, options, kinds)
}

function assertMembers(of: string, value: object, { members, isOpen }: Kind, at: string): void {
  if (!members) return
  const known = Object.keys(members)
  const isWrong = (name: string) => !known.includes(name) && (!isOpen || isNearOne(name, known))
  const wrong = Object.keys(value).find(isWrong)
  if (wrong !== undefined) throw unknownOption(of, `${at}/${wrong}`, known)
  assertKinds(of, value, members, at)
}

export function invalidOption(message: string, pointer?: string): HostError {
  return new HostError('OPTION_INVALID', message, { pointer })
}

export function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== ''
}

/** Whether a value can be an id. Nobody could find a blank one again. */
export function isId(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== ''
}

export function isListOf(value: unknown, isOne: (one: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(isOne)
}
