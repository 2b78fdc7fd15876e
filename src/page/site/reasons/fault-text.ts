import { type ServerError, UploadError } from '../server/index.ts'
import { t } from '../words/index.ts'
import { errorText, mostIn } from './error-text.ts'

/** An error in words for the person. */
export function faultText(error: ServerError): string {
  const { status, message } = error
  if (!(error instanceof UploadError)) return errorText(error)
  const { file: name } = error
  if (error.code === 'FILE_UNREADABLE') return t('fileUnreadable', { name })
  const most = mostIn(message)
  if (most !== undefined) return `${t('fileTooLarge', { name })} ${t('takesAtMost', { most })}`
  if (status === 413 && error.code !== 'STORAGE_QUOTA_EXCEEDED') return t('fileTooLarge', { name })
  return t('fileRefused', { name, message: errorText(error) })
}
