import { providerError } from '@braidwork/model-api/exchange'
import type { JsonObject, Message } from '@braidwork/plugin'

/**
 * Checks that something is left to answer of the messages: the API refuses empty texts, and an empty list.
 * @param sent the messages in the API's format
 * @throws MESSAGES_INVALID
 */
export function assertHasQuestion(given: readonly Message[], sent: readonly JsonObject[]): void {
  if (sent.length > 0 && !isLeftWithAnswer(given, sent)) return
  const message = 'The request has nothing for the model to answer: add a user message with text.'
  throw providerError('MESSAGES_INVALID', message, { pointer: '/messages', retryable: false })
}

/**
 * Whether nothing is left of what follows the last answer. The model would continue that answer, although the request
 * does not ask for it.
 */
function isLeftWithAnswer(given: readonly Message[], sent: readonly JsonObject[]): boolean {
  const last = given.findLastIndex(({ role }) => role === 'assistant')
  const after = given.slice(last + 1)
  return sent.at(-1)?.['role'] === 'assistant' && after.some(({ role }) => role === 'user')
}
