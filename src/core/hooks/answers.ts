import { HostError, isObject, type State } from '@braidwork/plugin'
import type { AnswerShape } from '@braidwork/plugin/internal'

/** The type of a checked answer, by its shape. */
export interface Answers {
  ids: readonly string[]
  object: State
  verdict: boolean | undefined
  list: readonly unknown[]
  native: unknown
  'native-state': readonly [native: unknown, state: State]
  step: readonly [
    partials: readonly unknown[],
    finals: readonly unknown[],
    native: unknown,
    state: State,
  ]
  finals: readonly [finals: readonly unknown[], native: unknown, state: State]
  chunks: AsyncIterable<unknown> | Iterable<unknown>
  any: unknown
}

/** `read` returns this for an answer of the wrong shape. A symbol, because any other value may be a valid answer. */
const WRONG = Symbol('wrong')

interface Shape<T> {
  /** Converts the answer to the value that the host works with. */
  readonly read: (answer: unknown) => T | typeof WRONG
  readonly expected: string
}

const isList = Array.isArray as (value: unknown) => value is readonly unknown[]

const SHAPES: { readonly [A in AnswerShape]: Shape<Answers[A]> } = {
  ids: { read: (answer) => readIds(answer), expected: 'a list of strings that are not empty' },
  object: { read: (answer) => (isObject(answer) ? answer : WRONG), expected: 'an object' },
  // CL-06: any answer but `true` and `false`, for example 1 or "yes", is not a verdict.
  verdict: {
    read: (answer) => (typeof answer === 'boolean' ? answer : undefined),
    expected: 'true, false or no verdict',
  },
  list: { read: (answer) => (isList(answer) ? answer : WRONG), expected: 'an array' },
  native: {
    read: (answer) => (answer === undefined ? WRONG : answer),
    expected: 'a native request',
  },
  'native-state': {
    read: (answer) => (isTurn(answer, 0) ? (answer as unknown as Answers['native-state']) : WRONG),
    expected: '[native, state]',
  },
  step: {
    read: (answer) =>
      isTurn(answer, 2) && isList(answer[0]) && isList(answer[1])
        ? (answer as unknown as Answers['step'])
        : WRONG,
    expected: '[partials, finals, native, state]',
  },
  finals: {
    read: (answer) =>
      isTurn(answer, 1) && isList(answer[0]) ? (answer as unknown as Answers['finals']) : WRONG,
    expected: '[finals, native, state]',
  },
  chunks: {
    read: (answer) => (isIterable(answer) ? answer : WRONG),
    expected: 'an async iterable of chunks',
  },
  any: { read: (value) => value, expected: 'anything' },
}

/**
 * Checks the shape of a hook's answer and returns it. Additional members are ignored.
 * @throws {HostError} HOOK_ANSWER_INVALID
 */
export function readAnswer<A extends AnswerShape>(shape: A, answer: unknown): Answers[A] {
  const { read, expected } = SHAPES[shape]
  const value = read(answer)
  if (value !== WRONG) return value
  throw new HostError(
    'HOOK_ANSWER_INVALID',
    `it answered ${describe(answer)}, but the answer must be ${expected}`,
  )
}

/** Whether a list has a native request and a state, at the indexes `at` and `at + 1`. */
function isTurn(answer: unknown, at: number): answer is readonly unknown[] {
  return isList(answer) && answer.length >= at + 2 && isObject(answer[at + 1])
}

function readIds(answer: unknown): readonly string[] | typeof WRONG {
  if (typeof answer === 'string' || !isSyncIterable(answer)) return WRONG
  const ids = [...answer]
  const right = ids.every((id): id is string => typeof id === 'string' && id !== '')
  if (!right) return WRONG
  return ids.length < 2 ? ids : [...new Set(ids)]
}

function isSyncIterable(value: unknown): value is Iterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.iterator in value
}

function isIterable(value: unknown): value is Answers['chunks'] {
  return (
    typeof value === 'object' &&
    value !== null &&
    (Symbol.asyncIterator in value || Symbol.iterator in value)
  )
}

function describe(value: unknown): string {
  if (isList(value)) return `an array of ${value.length}`
  if (value === null || value === undefined) return String(value)
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}
