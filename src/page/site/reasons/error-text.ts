import { t, type Words, wordFor } from '../words/index.ts'

/** An error of the server, as far as it is told. */
interface ToldError {
  readonly status: number
  readonly code: string
  /** In English. */
  readonly message: string
  /** In seconds. */
  readonly retryAfter?: number | undefined
}

/** For codes that have no words of their own. */
const STATUSES: { readonly [status: number]: keyof Words } = {
  0: 'unreachable',
  401: 'wrongToken',
  409: 'busy',
  413: 'tooLarge',
  429: 'error_TOO_MANY_REQUESTS',
}

const CODES: { readonly [code: string]: keyof Words } = {
  ANSWER_UNKNOWN: 'otherVersion',
  ANSWER_FAILED: 'answerFailed',
  CONVERSATION_UNKNOWN: 'conversationGone',
  RUN_NOT_ACTIVE: 'steerLate',
}

/** An error in words for the person. */
export function errorText({ status, code, message, retryAfter }: ToldError): string {
  const own = `error_${code}`
  if (wordFor(own)) return t(own as keyof Words, { when: whenText(retryAfter) })
  const ofCode = Object.hasOwn(CODES, code) ? CODES[code] : undefined
  const name = ofCode ?? STATUSES[status] ?? 'failed'
  return t(name, { message, when: whenText(retryAfter) })
}

/** When something may be tried again. @param seconds from now on */
function whenText(seconds = 0): string {
  if (seconds <= 2) return t('soon')
  if (seconds <= 120) return t('inSeconds', { count: Math.ceil(seconds) })
  const minutes = Math.ceil(seconds / 60)
  if (minutes <= 120) return t('inMinutes', { count: minutes })
  return t('inHours', { count: Math.ceil(minutes / 60) })
}
