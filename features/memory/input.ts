import { MOST_LENGTH } from './facts.ts'
import { problem } from './problem.ts'

/** All fields of action inputs. Tools show their descriptions to the model. */
export const FIELDS = {
  text: { type: 'string', maxLength: MOST_LENGTH, description: 'The fact, in one sentence' },
  pinned: { type: 'boolean', description: 'Whether to show the fact with every request' },
  id: { type: 'string', maxLength: MOST_LENGTH, description: 'The id of the fact' },
  query: { type: 'string', maxLength: MOST_LENGTH, description: 'Words to search for' },
} as const

export type Field = keyof typeof FIELDS
type ValueOf<F extends Field> = (typeof FIELDS)[F]['type'] extends 'string' ? string : boolean

export type Input<Needs extends Field = Field, Takes extends Field = Field> = {
  readonly [F in Needs]: ValueOf<F>
} & { readonly [F in Takes]?: ValueOf<F> }

/** Validates an action's input and trims its texts. @throws INPUT_INVALID with a pointer into the input */
export function readInput(
  given: unknown,
  needs: readonly Field[],
  takes: readonly Field[],
): { readonly [F in Field]?: unknown } {
  const input = given ?? {}
  if (typeof input !== 'object' || Array.isArray(input)) throw invalid('', 'it must be an object')
  const known = [...needs, ...takes]
  const stranger = Object.keys(input).find((key) => !known.includes(key as Field))
  if (stranger !== undefined)
    throw invalid(`/${escaped(stranger)}`, `the field is unknown; known fields: ${listOf(known)}`)
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
  if (typeof value !== type) throw invalid(`/${field}`, `it must be a ${type}`)
  if (typeof value !== 'string') return value
  const text = value.trim()
  if (text === '') throw invalid(`/${field}`, 'it is empty')
  if (text.length > MOST_LENGTH)
    throw invalid(`/${field}`, `it is longer than ${MOST_LENGTH} characters; make it shorter`)
  return text
}

export function invalid(pointer: string, reason: string): Error {
  const place = pointer === '' ? '' : ` at ${pointer}`
  return problem('INPUT_INVALID', `The input of the action is invalid${place}: ${reason}.`, pointer)
}

/** A key escaped for a JSON pointer and shortened for the message. */
function escaped(key: string): string {
  return key.slice(0, 100).replaceAll('~', '~0').replaceAll('/', '~1')
}

function listOf(fields: readonly Field[]): string {
  return fields.length === 0 ? 'none' : fields.map((field) => `"${field}"`).join(', ')
}
