import type { JsonObject } from '@braidwork/plugin'
import { expressionsIn } from './expressions.ts'
import { fits } from './fits.ts'
import { asksForTime, zonesIn } from './moments.ts'
import type { NativeTool } from './native.ts'
import { pairValue } from './pairs.ts'
import { enumOf, type Property, propertiesOf } from './schema.ts'
import { lower, numbersIn, placesIn, quotesIn, wordsOf } from './words.ts'

const EXPRESSION = /^(expression|expr|formula|calculation|equation)$/i
const ZONE = /zone|^tz$/i
const PLACE = /^(city|location|place|country|region|destination|address)$/i
const FREE_TEXT =
  /^(query|q|prompt|question|text|input|message|search|search_query|topic|task|request)$/i
const TIME_TOOL = new Set(['time', 'date', 'clock', 'datetime', 'today', 'now'])
/** Words in tool names that do not describe the tool's purpose. */
const EMPTY_WORDS = new Set([
  'get',
  'set',
  'do',
  'run',
  'the',
  'a',
  'of',
  'for',
  'to',
  'my',
  'tool',
  'current',
  'by',
  'is',
  'agent',
  'with',
  'in',
  'and',
])

/** The inputs with which a text asks for a tool: none, one or several. Each has all required properties. */
export function fillInputs(tool: NativeTool, text: string): readonly JsonObject[] {
  const properties = propertiesOf(tool.input_schema)
  const pairs = present(properties.map((property) => [property.name, pairValue(text, property)]))
  const candidates = candidatesOf(tool, text, properties, pairs)
  return candidates.filter((input) =>
    properties.every(({ name, schema, isRequired }) =>
      Object.hasOwn(input, name) ? fits(input[name], schema) : !isRequired,
    ),
  )
}

function candidatesOf(
  tool: NativeTool,
  text: string,
  properties: readonly Property[],
  pairs: JsonObject,
): readonly JsonObject[] {
  const hasPairs = Object.keys(pairs).length > 0
  const expression = properties.find(({ name, isRequired }) => isRequired && EXPRESSION.test(name))
  if (expression) {
    if (Object.hasOwn(pairs, expression.name)) return [pairs]
    return expressionsIn(text).map((found) => ({ ...pairs, [expression.name]: found }))
  }
  if (wordsOf(tool.name).some((word) => TIME_TOOL.has(word))) {
    return asksForTime(text) || hasPairs ? withZones(text, properties, pairs) : []
  }
  if (!hasPairs && !isMentioned(tool.name, text)) return []
  return guessRest(text, properties, pairs)
}

function withZones(
  text: string,
  properties: readonly Property[],
  pairs: JsonObject,
): readonly JsonObject[] {
  const zone = properties.find(({ name }) => ZONE.test(name) && !Object.hasOwn(pairs, name))
  const zones = zonesIn(text)
  if (!zone || zones.length === 0) return guessRest(text, properties, pairs)
  return zones.map((found) => ({ ...pairs, [zone.name]: found }))
}

/** Whether the text contains a descriptive word of the tool's name. */
function isMentioned(name: string, text: string): boolean {
  if (lower(text).includes(lower(name))) return true
  const said = new Set(wordsOf(text).map(singular))
  return wordsOf(name).some((word) => !EMPTY_WORDS.has(word) && said.has(singular(word)))
}

/** Fills properties without a `name: value` pair: from enum values, places, numbers and quotes. One input per place. */
function guessRest(
  text: string,
  properties: readonly Property[],
  pairs: JsonObject,
): readonly JsonObject[] {
  const quotes = quotesIn(text)
  const numbers = numbersIn(text)
  const guess = ({ name, schema, type, isRequired }: Property): unknown => {
    const allowed = enumOf(schema)
    if (allowed)
      return allowed.find(
        (value) => typeof value === 'string' && wordsOf(text).includes(lower(value)),
      )
    if (!isRequired || PLACE.test(name)) return undefined
    if (type === 'number') return numbers.shift()
    if (type === 'integer') return takeFirst(numbers, Number.isInteger)
    if (type !== 'string') return undefined
    return quotes.shift() ?? (FREE_TEXT.test(name) ? freeText(text) : undefined)
  }
  const open = properties.filter(({ name }) => !Object.hasOwn(pairs, name))
  const input = { ...pairs, ...present(open.map((property) => [property.name, guess(property)])) }
  const place = open.find(({ name }) => PLACE.test(name))
  const places = place ? placesIn(text) : []
  return place && places.length > 0
    ? places.map((found) => ({ ...input, [place.name]: found }))
    : [input]
}

const SEARCH = /^(?:please )?(?:search|look up|look|find)(?: the web| online)?(?: for)? (?=.)/i
const LONGEST_SEARCH = 300

/** The text itself, or the part that it asks to search for. */
function freeText(text: string): string {
  const whole = text.trim()
  const said = whole.slice(SEARCH.exec(whole)?.[0].length ?? 0)
  let end = said.length
  while (end > 1 && '.?!'.includes(said[end - 1] as string)) end--
  const isSearch = said !== whole && end <= LONGEST_SEARCH && !said.includes('\n')
  return isSearch ? said.slice(0, end) : whole
}

function takeFirst<T>(values: T[], isWanted: (value: T) => boolean): T | undefined {
  const at = values.findIndex(isWanted)
  return at < 0 ? undefined : values.splice(at, 1)[0]
}

function present(entries: readonly (readonly [string, unknown])[]): JsonObject {
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined && value !== ''))
}

function singular(word: string): string {
  return word.length > 3 && word.endsWith('s') ? word.slice(0, -1) : word
}
