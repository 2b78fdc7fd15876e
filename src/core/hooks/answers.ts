import { HostError, isObject, type JsonObject, type State } from '@braidwork/plugin'
import type { AnswerShape } from '@braidwork/plugin/internal'

/** The type of a checked answer, by its shape. */
export interface Answers {
  ids: readonly string[]
  object: JsonObject
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

/** A check returns this for an answer of the wrong shape. A symbol, because any other value may be a valid answer. */
const WRONG = Symbol('wrong')

type Reader<T> = (answer: unknown) => T

const isList = Array.isArray as (value: unknown) => value is readonly unknown[]

const READERS: { readonly [A in AnswerShape]: Reader<Answers[A]> } = {
  ids: reader('a list of strings that are not empty', readIds),
  object: reader('an object', (answer) => (isObject(answer) ? answer : WRONG)),
  // CL-06: any answer but `true` and `false`, for example 1 or "yes", is not a verdict.
  verdict: (answer) => (typeof answer === 'boolean' ? answer : undefined),
  list: reader('an array', (answer) => (isList(answer) ? answer : WRONG)),
  native: reader('a native request', (answer) => (answer === undefined ? WRONG : answer)),
  'native-state': reader('[native, state]', (answer) =>
    isTurn(answer, 0) ? (answer as unknown as Answers['native-state']) : WRONG,
  ),
  step: reader('[partials, finals, native, state]', (answer) =>
    isTurn(answer, 2) && isList(answer[0]) && isList(answer[1])
      ? (answer as unknown as Answers['step'])
      : WRONG,
  ),
  finals: reader('[finals, native, state]', (answer) =>
    isTurn(answer, 1) && isList(answer[0]) ? (answer as unknown as Answers['finals']) : WRONG,
  ),
  chunks: reader('an async iterable of chunks', (answer) => (isIterable(answer) ? answer : WRONG)),
  any: (answer) => answer,
}

/**
 * Returns the function that checks the shape of a hook's answer and returns it. Additional members are ignored.
 * It throws HOOK_ANSWER_INVALID.
 */
export function answerReader<A extends AnswerShape>(shape: A): Reader<Answers[A]> {
  return READERS[shape]
}

function reader<T>(expected: string, check: (answer: unknown) => T | typeof WRONG): Reader<T> {
  return (answer) => {
    const value = check(answer)
    if (value !== WRONG) return value
    const message = `it answered ${describe(answer)}, but the answer must be ${expected}`
    throw new HostError('HOOK_ANSWER_INVALID', message)
  }
}

/** Whether a list has a native request and a state, at the indexes `at` and `at + 1`. */
function isTurn(answer: unknown, at: number): answer is readonly unknown[] {
  return isList(answer) && answer.length >= at + 2 && isObject(answer[at + 1])
}

function readIds(answer: unknown): readonly string[] | typeof WRONG {
  if (typeof answer === 'string' || !isSyncIterable(answer)) return WRONG
  const ids = [...new Set(answer)]
  const right = ids.every((id): id is string => typeof id === 'string' && id !== '')
  return right ? ids : WRONG
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

function describe(value: unknown, isInner = false): string {
  if (isList(value) && !isInner && value.length === 4)
    return `[${value.map((one) => describe(one, true)).join(', ')}]`
  if (isList(value)) return `an array of ${value.length}`
  if (value === null || value === undefined) return 'nothing'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}
