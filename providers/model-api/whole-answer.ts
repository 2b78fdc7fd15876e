import type { JsonObject } from '@braidwork/plugin'
import { apiError, unreadable } from './errors.ts'
import { objectsIn } from './json.ts'
import type { Profile } from './profile.ts'

/** The part of a format that says what a complete answer has. */
interface WholeAnswerFormat {
  readonly profile: Profile
  /** The list field that a complete answer has, if it has one, and whether the list may be empty. */
  readonly list?: string
  readonly mayBeEmpty?: boolean
}

/** Returns the answer if it has the list of the format. @throws if it does not */
export function checked(
  answer: JsonObject,
  { profile, list, mayBeEmpty }: WholeAnswerFormat,
): JsonObject {
  if (answer['status'] === 'failed') {
    throw apiError(profile, answer['error'] ?? 'the response failed')
  }
  const failed = objectsIn(answer['choices']).find((choice) => choice['error'])
  if (failed) throw apiError(profile, failed['error'])
  if (list === undefined) return answer
  const entries = answer[list]
  if (Array.isArray(entries) && (mayBeEmpty || entries.length > 0)) return answer
  const what = Array.isArray(entries) ? `with empty "${list}"` : `without "${list}"`
  throw unreadable(profile, `sent an answer ${what}`, JSON.stringify(answer))
}
