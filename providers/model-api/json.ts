import { isDeepStrictEqual } from 'node:util'
import { isObject, type JsonObject } from '@braidwork/plugin'

/** The maximum nesting depth. Real answers are flatter, and the host refuses deeper messages. */
const DEEPEST = 128

/** The maximum number of values in a text, since a value takes far more memory than its text. Short texts pass. */
const MOST_VALUES = 4_000_000
const SHORT = 1024 * 1024

export function objectsIn(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : []
}

/** The value if it is a non-empty string, else `undefined`. */
export function textIn(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** A copy of an object without undefined members. */
export function defined<T extends object>(
  members: T,
): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const kept: { [K in keyof T]?: Exclude<T[K], undefined> } = {}
  for (const key in members) if (members[key] !== undefined) kept[key] = members[key] as never
  return kept
}

/** A copy of an object without the given keys. */
export function without(object: JsonObject, ...keys: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([key]) => !keys.includes(key)))
}

/**
 * Copies members that are not null or undefined to `known`, in place. A copy per event would take quadratic time
 * when every event brings another member.
 */
export function tell(known: { [key: string]: unknown }, said: JsonObject): void {
  for (const [key, value] of Object.entries(said)) if (value !== null) known[key] = value
}

const ESCAPED = /\\u00(5f|6f|7[024])/i
const LARGE_EXPONENT = /\de\+?\d{3}/i
const LONG = 200

/**
 * Whether a text may contain JSON that a message cannot: the key `__proto__`, in any spelling, or a number that is
 * too large. This runs on every event; several simple searches are much faster than one combined search.
 */
export function mayBeUnsayable(text: string): boolean {
  return (
    text.includes('__proto__') ||
    (text.includes('\\u') && ESCAPED.test(text)) ||
    LARGE_EXPONENT.test(text) ||
    hasLongNumber(text)
  )
}

/** Whether a text has 200 digits in a row. They cover one of these places; a search takes ten times as long. */
function hasLongNumber(text: string): boolean {
  for (let at = LONG - 1; at < text.length; at += LONG) {
    let from = at
    while (isDigit(text.charCodeAt(from))) from--
    let to = from + 1
    while (to <= from + LONG && isDigit(text.charCodeAt(to))) to++
    if (to > from + LONG) return true
  }
  return false
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39
}

/**
 * Parses untrusted JSON. The key `__proto__` is dropped, and a number like 1e999 becomes null.
 * @throws {SyntaxError} if the text is not JSON, is nested too deeply, or has too many values
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

/** A call's arguments: the parsed value, or the original text if it is not acceptable JSON. */
export function parseArguments(text: string): unknown {
  if (isBlank(text)) return {}
  try {
    const value = parseJson(text)
    if (!mayBeUnsayable(text)) return value
    // Arguments are not sanitized silently: unacceptable ones stay text, and the call gets an error as its result.
    return isDeepStrictEqual(value, JSON.parse(text)) ? value : text
  } catch {
    return text
  }
}

/** Whether a server wrote no arguments. Some write `null` for a tool without parameters. */
export function isBlank(text: string): boolean {
  return ['', 'null'].includes(text.trim())
}

/** Arguments as text again. If they did not change since `parseArguments`, the text is the original byte for byte. */
export function argumentsText(input: unknown, original?: unknown): string {
  const text = typeof input === 'string' ? input : (JSON.stringify(input) ?? '{}')
  if (typeof original !== 'string' || original === text) return text
  return JSON.stringify(parseArguments(original)) === JSON.stringify(input) ? original : text
}

/** The arguments of a call as an object, for APIs that take nothing else: other arguments are wrapped in one. */
export function argumentsObject(input: unknown): JsonObject {
  return isObject(input) ? input : { INVALID_JSON: input }
}

/** As `argumentsText`, for APIs that parse the text and take only an object: other arguments are wrapped in one. */
export function objectText(input: unknown, original?: unknown): string {
  const isNothing = typeof original === 'string' && isBlank(original)
  return argumentsText(argumentsObject(input), isNothing ? undefined : original)
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

/** Whether a text may have too many values, by counting separators; those inside strings count too. */
function hasTooMany(text: string): boolean {
  let count = 0
  for (const mark of ['{', '[', ',']) {
    let at = text.indexOf(mark)
    for (; at !== -1 && count <= MOST_VALUES; at = text.indexOf(mark, at + 1)) count++
  }
  return count > MOST_VALUES
}

/** An upper bound of the nesting depth: the number of opening brackets. It is fast, since it runs on every event. */
function openings(text: string): number {
  let count = 0
  for (const bracket of ['{', '[']) {
    let at = text.indexOf(bracket)
    for (; at !== -1 && count <= DEEPEST; at = text.indexOf(bracket, at + 1)) count++
  }
  return count
}

/** The index of the quote that ends a string. */
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
