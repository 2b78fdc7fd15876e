import { t } from '../words/index.ts'

/** Tells what went wrong. Screen readers say it at once. */
export function Notice({
  text,
  onRetry,
}: {
  readonly text: string
  readonly onRetry?: () => void
}) {
  return (
    <div class="notice" role="alert">
      <span>{text}</span>
      {onRetry && (
        <button type="button" onClick={onRetry}>
          {t('retry')}
        </button>
      )}
    </div>
  )
}
