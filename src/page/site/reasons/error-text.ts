import { numberText, t, type Words, wordFor } from '../words/index.ts'

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

/** The texts that the server gives in place of details. Errors with other codes have them too. */
const FIXED: { readonly [message: string]: keyof Words } = {
  'The agent cannot run: its spec is broken.': 'agentBroken',
  'The model API refused the request.': 'refused',
  'The request is larger than the model API takes. Shorten the messages, or send fewer or smaller files.':
    'largerThanModelTakes',
  'The server failed to process the request.': 'serverFailed',
  'The token has expired.': 'tokenExpired',
  'The token was revoked.': 'tokenRevoked',
}

/** How the server begins to say that a conversation takes no further messages. */
const FULL = /^The conversation has reached the limit\b/

const CODES: { readonly [code: string]: keyof Words } = {
  ANSWER_UNKNOWN: 'otherVersion',
  CONVERSATION_UNKNOWN: 'conversationGone',
  RUN_NOT_ACTIVE: 'steerLate',
}

/** An error in words for the person. */
export function errorText(error: ToldError): string {
  const { status, code, message, retryAfter } = error
  const known = knownText(error)
  if (known !== undefined) return known
  const ofCode = Object.hasOwn(CODES, code) ? CODES[code] : undefined
  const name = ofCode ?? STATUSES[status] ?? 'failed'
  if (name === 'tooLarge' && FULL.test(message)) return t('conversationFull')
  const most = name === 'tooLarge' ? mostIn(message) : undefined
  if (most !== undefined) return `${t(name)} ${t('takesAtMost', { most })}`
  return t(name, { message, when: whenText(retryAfter) })
}

/** What the page knows to say of a code, or of a text that the server always gives. */
function knownText({ code, message, retryAfter }: Omit<ToldError, 'status'>): string | undefined {
  const own = `error_${code}`
  if (wordFor(own)) return t(own as keyof Words, { when: whenText(retryAfter) })
  const fixed = Object.hasOwn(FIXED, message) ? FIXED[message] : undefined
  return fixed && t(fixed)
}

/** Why a run failed, in words for the person. */
export function reasonText(error: Pick<ToldError, 'code' | 'message'>): string {
  const { code, message } = error
  return knownText(error) ?? (code ? `${message} (${code})` : message)
}

/** The most bytes that the server takes, as its message names them. */
export function mostIn(message: string): string | undefined {
  const [, bytes] = /\bthan (\d{1,15}) bytes\b/.exec(message) ?? []
  return bytes === undefined ? undefined : sizeText(Number(bytes))
}

const UNITS = ['KiB', 'MiB', 'GiB']

function sizeText(bytes: number): string {
  if (bytes < 1024) return t('bytes', { count: bytes })
  const power = Math.min(UNITS.length, Math.floor(Math.log2(bytes) / 10))
  const size = bytes / 1024 ** power
  return `${numberText(size, Number.isInteger(size) ? 0 : 1)} ${UNITS[power - 1]}`
}

/** When something may be tried again. @param seconds from now on */
function whenText(seconds = 0): string {
  if (seconds <= 2) return t('soon')
  if (seconds <= 120) return t('inSeconds', { count: Math.ceil(seconds) })
  const minutes = Math.ceil(seconds / 60)
  if (minutes <= 120) return t('inMinutes', { count: minutes })
  return t('inHours', { count: Math.ceil(minutes / 60) })
}
