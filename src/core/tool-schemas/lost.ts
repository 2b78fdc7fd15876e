import type { JsonObject } from '@braidwork/plugin'
import type { Keyword } from './node.ts'

/** A part of a schema that a format cannot express. */
export interface Lost {
  /** JSON pointer into the tool's own `input_schema`. */
  readonly pointer: string
  readonly keyword: string
  readonly reason: string
  /** Whether the converted schema allows more values than the tool's own, fewer, or the same. */
  readonly effect: 'wider' | 'narrower' | 'same'
}

export type NoteLost = (lost: Lost) => void

/** Longer values are not mentioned in a description. */
const LONGEST_TOLD = 300

/** Adds keywords that the format lacks to a description, where the model can read them. */
export function toldIn(
  description: unknown,
  untold: readonly Keyword[],
): { readonly description?: string } {
  const own = typeof description === 'string' ? description : ''
  const told = untold
    .map(({ keyword, value }) => `${keyword}: ${JSON.stringify(value)}`)
    .filter((text) => text.length <= LONGEST_TOLD)
  const said = told.length > 0 ? `{${told.join(', ')}}` : ''
  const whole = [own, said].filter((text) => text !== '').join('\n')
  return whole === '' ? {} : { description: whole }
}

/** The keywords of an object as a list, except for some. */
export function keywordsOf(values: JsonObject, ...without: readonly string[]): readonly Keyword[] {
  return Object.entries(values).flatMap(([keyword, value]) =>
    without.includes(keyword) ? [] : [{ keyword, value }],
  )
}

const DECIDING = new Set(
  (
    'not if then else dependentRequired dependentSchemas dependencies propertyNames contains minContains ' +
    'maxContains uniqueItems minProperties maxProperties patternProperties unevaluatedProperties ' +
    'unevaluatedItems $ref $dynamicRef enum const type properties required items additionalProperties anyOf ' +
    'oneOf prefixItems minLength maxLength pattern minimum maximum exclusiveMinimum exclusiveMaximum ' +
    'multipleOf minItems maxItems'
  ).split(' '),
)

/** A keyword that a format lacks. In JSON Schema 2020-12, `format` only describes, so losing it changes nothing. */
export function lostBeside(pointer: string, keyword: string): Lost {
  const isDeciding = DECIDING.has(keyword)
  const reason = isDeciding
    ? 'this format has no such keyword'
    : 'this format has no place for such descriptions'
  return { pointer, keyword, reason, effect: isDeciding ? 'wider' : 'same' }
}
