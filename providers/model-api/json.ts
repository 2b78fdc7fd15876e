import { isDeepStrictEqual } from 'node:util'
import { isObject, type JsonObject } from '@braidwork/plugin'

/** Deeper than any answer goes; beyond it a host refuses the message that it would end up in. */
const DEEPEST = 128

/** Values of one text: each takes many times what it is written with. A shorter text cannot hurt. */
const MOST_VALUES = 4_000_000
const SHORT = 1024 * 1024

export function objectsIn(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : []
}

/** A text that is not empty, or nothing. */
export function textIn(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** An object without the members that are undefined. */
export function defined<T extends object>(
  members: T,
): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const kept: { [K in keyof T]?: Exclude<T[K], undefined> } = {}
  for (const key in members) if (members[key] !== undefined) kept[key] = members[key] as never
  return kept
}

/** An object without some of its keys. */
export function without(object: JsonObject, ...keys: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([key]) => !keys.includes(key)))
}

/**
 * Takes over the members of an object that say something; null says nothing. In place: where each event of an answer
 * brings another member, a copy for each would take the square of their number.
 */
export function tell(known: { [key: string]: unknown }, said: JsonObject): void {
  for (const [key, value] of Object.entries(said)) if (value !== null) known[key] = value
}

const ESCAPED = /\\u00(5f|6f|7[024])/i
const LARGE_EXPONENT = /\de\+?\d{3}/i
const LONG_NUMBER = /\d{200}/

/**
 * Whether there may be what JSON can say and a message cannot: the key `__proto__`, however it is spelt, and a
 * number beyond all numbers. Every event comes by here: one search for each is far faster than one for all.
 */
function mayBeUnsayable(text: string): boolean {
  return (
    text.includes('__proto__') ||
    (text.includes('\\u') && ESCAPED.test(text)) ||
    LARGE_EXPONENT.test(text) ||
    (text.length > 200 && LONG_NUMBER.test(text))
  )
}

/**
 * JSON as it came from outside; the key `__proto__` is left out, a number like 1e999 is null.
 * @throws {SyntaxError} where it is no JSON, nested too deeply, or made of too many values
 */
export function parseJson(text: string): unknown {
  if (isTooDeep(text)) throw new SyntaxError(`nested deeper than ${DEEPEST} levels`)
  if (text.length > SHORT && hasTooMany(text)) {
    throw new SyntaxError(`made of more than ${MOST_VALUES} values`)
  }
  return mayBeUnsayable(text) ? JSON.parse(text, sayable) : JSON.parse(text)
}

function sayable(key: string, value: unknown): unknown {
  if (key === '__proto__') return undefined
  return typeof value === 'number' && !Number.isFinite(value) ? null : value
}

/** A call's arguments: the parsed value, or the text as it came where it cannot be taken as JSON. */
export function parseArguments(text: string): unknown {
  if (text.trim() === '') return {}
  try {
    const value = parseJson(text)
    if (!mayBeUnsayable(text)) return value
    // Arguments are not cleaned behind the model's back: the call is answered with an error.
    return isDeepStrictEqual(value, JSON.parse(text)) ? value : text
  } catch {
    return text
  }
}

/** What `parseArguments` read, as text again; byte for byte as it came where nothing changed since. */
export function argumentsText(input: unknown, original?: unknown): string {
  const text = typeof input === 'string' ? input : (JSON.stringify(input) ?? '{}')
  if (typeof original !== 'string' || original === text) return text
  return JSON.stringify(parseArguments(original)) === JSON.stringify(input) ? original : text
}

function isTooDeep(text: string): boolean {
  if (text.length <= 2 * DEEPEST || openings(text) <= DEEPEST) return false
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    const char = text[at]
    if (char === '"') at = endOfText(text, at + 1)
    else if (char === '{' || char === '[') depth++
    else if (char === '}' || char === ']') depth--
    if (depth > DEEPEST) return true
  }
  return false
}

/** Whether a text may have too many values, by what stands before each; what stands in texts counts too. */
function hasTooMany(text: string): boolean {
  let count = 0
  for (const mark of ['{', '[', ',']) {
    let at = text.indexOf(mark)
    for (; at !== -1 && count <= MOST_VALUES; at = text.indexOf(mark, at + 1)) count++
  }
  return count > MOST_VALUES
}

/** How often something is opened, at least; nothing is nested deeper. Counted fast: every event comes by here. */
function openings(text: string): number {
  let count = 0
  for (const bracket of ['{', '[']) {
    let at = text.indexOf(bracket)
    for (; at !== -1 && count <= DEEPEST; at = text.indexOf(bracket, at + 1)) count++
  }
  return count
}

/** Where the quote is that ends a text. */
function endOfText(text: string, from: number): number {
  let end = text.indexOf('"', from)
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1)
  return end === -1 ? text.length : end
}

function isEscaped(text: string, at: number): boolean {
  let start = at
  while (text[start - 1] === '\\') start--
  return (at - start) % 2 === 1
}
