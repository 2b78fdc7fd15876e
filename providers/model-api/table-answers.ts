import { providerError } from './errors.ts'
import type { Piece } from './format.ts'
import type { Profile } from './profile.ts'

/** The body that `request` of a table has built. @throws HOOK_ANSWER_INVALID if it is no object */
export function givenBody(given: unknown, { name }: Profile): object {
  if (typeof given === 'object' && given !== null && !isIterable(given)) return given
  throw invalid(name, 'request', given, 'an object, the body of the request, or the promise of one')
}

/** The pieces that `answer` of a table has found in a line. @throws HOOK_ANSWER_INVALID if they are no list */
export function givenPieces(given: unknown, { name }: Profile): readonly Piece[] {
  // A text is iterable too, by its characters.
  if (typeof given === 'string') return [given]
  if (isIterable(given)) return [...given] as Piece[]
  throw invalid(name, 'answer', given, 'a list of pieces, a generator that is not async, or a text')
}

function isIterable(value: unknown): value is Iterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.iterator in value
}

function invalid(name: string, member: string, given: unknown, expected: string): Error {
  const message = `"${member}" of the table of provider "${name}" answered ${kindOf(given)}, but its answer must be ${expected}.`
  return providerError('HOOK_ANSWER_INVALID', message)
}

function kindOf(value: unknown): string {
  if (value === undefined || value === null) return 'nothing'
  if (typeof value === 'string') return 'a text'
  if (typeof value !== 'object') return `a ${typeof value}`
  if (Array.isArray(value)) return `an array of ${value.length}`
  if (value instanceof Promise) return 'a promise'
  if (Symbol.asyncIterator in value) return 'an async generator'
  return isIterable(value) ? `a ${value.constructor.name}` : 'an object'
}
