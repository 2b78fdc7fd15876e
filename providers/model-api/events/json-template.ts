import { isDeepStrictEqual } from 'node:util'
import { mayBeUnsayable } from '../json.ts'

/** A place where the texts of a template differ: the inside of a string, or the digits of a whole number. */
interface Hole {
  readonly isNumber: boolean
  /** The text from here to the next hole, or to the end. */
  readonly after: string
}

interface Parts {
  readonly before: string
  readonly holes: readonly Hole[]
}

/** Makes a value from the values in the holes. */
type Build = (values: readonly unknown[]) => unknown

/** With more holes, a template is hardly faster than `JSON.parse`. */
const MOST_HOLES = 12

/** The common form of JSON texts that differ in a few strings and whole numbers only. */
export class JsonTemplate {
  /** A text of this form, with a mark in each hole. */
  readonly example: string
  readonly #before: string
  readonly #holes: readonly Hole[]
  readonly #build: Build

  /** The values of the last text that was read: a list for each text would be most of what a chunk allocates. */
  readonly #values: unknown[] = []

  private constructor({ before, holes }: Parts) {
    const marks = holes.map(({ isNumber }, at) => (isNumber ? 723_450_000 + at : `hole ${at}`))
    this.example = before + holes.map(({ after }, at) => `${marks[at]}${after}`).join('')
    this.#before = before
    this.#holes = holes
    this.#build = builderOf(JSON.parse(this.example), marks)
  }

  /** @returns the template of two texts of valid JSON; `undefined` if they differ in more than a template allows */
  static of(left: string, right: string): JsonTemplate | undefined {
    const parts = mayBeUnsayable(right) ? undefined : partsOf(left, right)
    if (!parts || parts.holes.length > MOST_HOLES) return undefined
    const template = new JsonTemplate(parts)
    // A text that contains a mark of its own, in whatever spelling, has another value.
    return template.#isRightFor(left) && template.#isRightFor(right) ? template : undefined
  }

  #isRightFor(text: string): boolean {
    return isDeepStrictEqual(this.read(text), JSON.parse(text))
  }

  /** @returns a new value, equal to that of `JSON.parse`, for a text of this form; `undefined` for other texts */
  read(text: string): unknown {
    if (!hasAt(text, this.#before, 0)) return undefined
    const values = this.#values
    let at = this.#before.length
    for (let index = 0; index < this.#holes.length; index++) {
      const { isNumber, after } = this.#holes[index] as Hole
      const end = isNumber ? endOfNumber(text, at) : endOfString(text, at)
      if (end === -1 || !hasAt(text, after, end)) return undefined
      const value = isNumber ? numberIn(text, at, end) : stringIn(text, at, end)
      if (value === undefined) return undefined
      values[index] = value
      at = end + after.length
    }
    return at === text.length ? this.#build(values) : undefined
  }
}

/** Whether a text has a part at an index. `startsWith` takes three times as long for long parts. */
function hasAt(text: string, part: string, at: number): boolean {
  return text.slice(at, at + part.length) === part
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
const SPACE = 0x20

/** The index of the quote that ends a string; -1 if there is none. */
function endOfString(text: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) return at
    if (code === BACKSLASH) at++
    else if (code < SPACE) return -1
  }
  return -1
}

/** V8 copies a part that is shorter. A longer part would keep the whole text in memory. */
const LONG_PART = 13

/** The string between two quotes; `undefined` if it is not valid. */
function stringIn(text: string, from: number, to: number): string | undefined {
  const part = text.slice(from, to)
  if (part.length < LONG_PART && !part.includes('\\')) return part
  try {
    return JSON.parse(text.slice(from - 1, to + 1)) as string
  } catch {
    return undefined
  }
}

/** Numbers with at most so many digits are exact. */
const MOST_DIGITS = 15

/** The index behind the digits of a whole number; -1 if there is none that JSON allows, or it may not be exact. */
function endOfNumber(text: string, from: number): number {
  let at = from
  while (isDigit(text.charCodeAt(at))) at++
  const hasExtraZero = text[from] === '0' && at > from + 1
  return at === from || at > from + MOST_DIGITS || hasExtraZero ? -1 : at
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39
}

/** `Number` takes several times as long for a part of a text. */
function numberIn(text: string, from: number, to: number): number {
  let number = 0
  for (let at = from; at < to; at++) number = number * 10 + text.charCodeAt(at) - 0x30
  return number
}

/** A string, a number, or all that is between them. */
const TOKEN = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|[^"\d-]+/g
const COLON = /^\s*:/

/** The text before, between and after the tokens in which two texts differ; `undefined` if other tokens differ. */
function partsOf(left: string, right: string): Parts | undefined {
  const lefts = left.match(TOKEN) ?? []
  const rights = right.match(TOKEN) ?? []
  if (lefts.length !== rights.length) return undefined
  const parts = ['']
  const kinds: boolean[] = []
  for (const [at, token] of rights.entries()) {
    const other = lefts[at] as string
    const isNumber = isWholeNumber(token) && isWholeNumber(other)
    const isString = isText(token) && isText(other) && !COLON.test(rights[at + 1] ?? '')
    if (token === other) parts.push(parts.pop() + token)
    else if (isNumber) parts.push('')
    else if (isString) parts.push(`${parts.pop()}"`, '"')
    else return undefined
    if (token !== other) kinds.push(isNumber)
  }
  const [before = '', ...afters] = parts
  return { before, holes: afters.map((after, at) => ({ after, isNumber: kinds[at] as boolean })) }
}

const isText = (token: string): boolean => token.startsWith('"')
const isWholeNumber = (token: string): boolean => endOfNumber(token, 0) === token.length

type Copy = (value: object) => object

/** V8 copies an object several times faster at a place in the code where few forms of objects are copied. */
const COPIES: readonly Copy[] = [
  (value) => ({ ...value }),
  (value) => ({ ...value }),
  (value) => ({ ...value }),
  (value) => ({ ...value }),
  (value) => ({ ...value }),
  (value) => ({ ...value }),
  (value) => ({ ...value }),
  (value) => ({ ...value }),
]

/** Objects with the same keys are copied at the same place. */
function copyFor(value: object): Copy {
  if (Array.isArray(value)) return (list) => (list as unknown[]).slice()
  let sum = 0
  for (const char of Object.keys(value).join()) sum += char.charCodeAt(0)
  return COPIES[sum % COPIES.length] as Copy
}

/** A function that copies a value, with other values in place of its marks. All objects are new: hooks may change them. */
function builderOf(value: unknown, marks: readonly unknown[]): Build {
  const mark = marks.indexOf(value)
  if (mark !== -1) return (values) => values[mark]
  if (typeof value !== 'object' || value === null) return () => value
  const changing = Object.entries(value)
    .filter(([, member]) => marks.includes(member) || (typeof member === 'object' && member))
    .map(([key, member]) => ({ key, build: builderOf(member, marks) }))
  const copyOf = copyFor(value)
  return (values) => {
    const copy = copyOf(value) as Record<string, unknown>
    for (let at = 0; at < changing.length; at++) {
      const { key, build } = changing[at] as (typeof changing)[number]
      copy[key] = build(values)
    }
    return copy
  }
}
