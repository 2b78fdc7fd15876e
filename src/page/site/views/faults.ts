import { type ServerError, UploadError } from '../server/index.ts'
import { t, type Words } from '../words/index.ts'

const WORDS: { readonly [status: number]: keyof Words } = {
  0: 'unreachable',
  401: 'wrongToken',
  409: 'busy',
  413: 'tooLarge',
  429: 'tooMany',
}

const CODES: { readonly [code: string]: keyof Words } = {
  ANSWER_UNKNOWN: 'otherVersion',
  ANSWER_FAILED: 'answerFailed',
  CONVERSATION_UNKNOWN: 'conversationGone',
  RUN_NOT_ACTIVE: 'steerLate',
}

/** An error in words for the person. */
export function faultText(error: ServerError): string {
  const { status, message } = error
  if (!(error instanceof UploadError)) return plainText(error)
  const { file: name } = error
  if (status === 413) return t('fileTooLarge', { name, message })
  return t('fileRefused', { name, message: plainText(error) })
}

function plainText({ status, code, message }: ServerError): string {
  const ofCode = Object.hasOwn(CODES, code) ? CODES[code] : undefined
  return t(ofCode ?? WORDS[status] ?? 'failed', { message })
}
