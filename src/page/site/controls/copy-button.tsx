import { useCopy } from '../clipboard/index.ts'
import { t } from '../words/index.ts'
import { IconButton } from './icon-button.tsx'

/** Copies the text of a message, and says for a moment whether it did. */
export function CopyButton({ text }: { readonly text: string }) {
  const { outcome, copy } = useCopy()
  if (!text) return null
  return (
    <>
      <IconButton icon="copy" name={t(outcome ?? 'copy')} onClick={() => void copy(text)} />
      {outcome === 'copyFailed' && (
        <span role="alert" class="muted">
          {t(outcome)}
        </span>
      )}
    </>
  )
}
