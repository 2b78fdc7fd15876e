import { type ServerError, UploadError } from '../server/index.ts'
import { t } from '../words/index.ts'
import { errorText } from './error-text.ts'

/** An error in words for the person. */
export function faultText(error: ServerError): string {
  const { status, message } = error
  if (!(error instanceof UploadError)) return errorText(error)
  const { file: name } = error
  if (status === 413) return t('fileTooLarge', { name, message })
  return t('fileRefused', { name, message: errorText(error) })
}
