import type { ServerError } from '../server/index.ts'
import { t, type Words } from '../words/index.ts'

const WORDS: { readonly [status: number]: keyof Words } = {
  0: 'unreachable',
  401: 'wrongToken',
  409: 'busy',
  413: 'tooLarge',
  429: 'tooMany',
}

/** An error in words for the person. */
export function faultText({ status, code, message }: ServerError): string {
  if (code === 'ANSWER_UNKNOWN') return t('otherVersion')
  const word = WORDS[status]
  if (word) return t(word)
  return t(code === 'ANSWER_FAILED' ? 'answerFailed' : 'failed', { message })
}
