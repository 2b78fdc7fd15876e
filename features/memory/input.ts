import { MOST_LENGTH } from './facts.ts'
import { problem } from './problem.ts'

/** Every field of an action's input, once; tools show them to the model as they are. */
export const FIELDS = {
  text: { type: 'string', maxLength: MOST_LENGTH, description: 'The fact, in one sentence' },
  pinned: { type: 'boolean', description: 'Whether it is shown whatever is asked' },
  id: { type: 'string', maxLength: MOST_LENGTH, description: 'The id of the fact' },
  query: { type: 'string', maxLength: MOST_LENGTH, description: 'Words that the fact should have' },
} as const

export type Field = keyof typeof FIELDS
type ValueOf<F extends Field> = (typeof FIELDS)[F]['type'] extends 'string' ? string : boolean

export type Input<Needs extends Field = Field, Takes extends Field = Field> = {
  readonly [F in Needs]: ValueOf<F>
} & { readonly [F in Takes]?: ValueOf<F> }

/** An action's input, its texts trimmed. @throws INPUT_INVALID, with a pointer into the input */
export function readInput(
  given: unknown,
  needs: readonly Field[],
  takes: readonly Field[],
): { readonly [F in Field]?: unknown } {
  const input = given ?? {}
  if (typeof input !== 'object' || Array.isArray(input)) throw invalid('', 'it is no object')
  const known = [...needs, ...takes]
  const stranger = Object.keys(input).find((key) => !known.includes(key as Field))
  if (stranger !== undefined)
    throw invalid(`/${escaped(stranger)}`, `there is no such field, but ${listOf(known)}`)
  return Object.fromEntries(
    known.flatMap((field) => {
      const value = (input as { readonly [key: string]: unknown })[field]
      if (value !== undefined) return [[field, checked(field, value)]]
      if (needs.includes(field)) throw invalid(`/${field}`, 'it is missing')
      return []
    }),
  )
}

function checked(field: Field, value: unknown): unknown {
  const { type } = FIELDS[field]
  if (typeof value !== type) throw invalid(`/${field}`, `it is no ${type}`)
  if (typeof value !== 'string') return value
  const text = value.trim()
  if (text === '') throw invalid(`/${field}`, 'it is empty')
  if (text.length > MOST_LENGTH)
    throw invalid(`/${field}`, `it is longer than ${MOST_LENGTH} characters; make it shorter`)
  return text
}

export function invalid(pointer: string, reason: string): Error {
  const place = pointer === '' ? '' : ` at ${pointer}`
  return problem(
    'INPUT_INVALID',
    `The input of the action cannot be used${place}: ${reason}.`,
    pointer,
  )
}

/** As a part of a JSON pointer, and no longer than a person reads. */
function escaped(key: string): string {
  return key.slice(0, 100).replaceAll('~', '~0').replaceAll('/', '~1')
}

function listOf(fields: readonly Field[]): string {
  return fields.length === 0 ? 'none at all' : fields.map((field) => `"${field}"`).join(', ')
}
