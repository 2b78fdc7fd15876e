import { useCopy } from '../clipboard/index.ts'
import { t } from '../words/index.ts'

/** Copies a text, and says for a moment whether it did. */
export function CopyButton({ text }: { readonly text: string }) {
  const { outcome, copy } = useCopy()
  return (
    <>
      <button type="button" class="drawer-button" onClick={() => void copy(text)}>
        {t(outcome ?? 'copy')}
      </button>
      <span class="drawer-said" role="status">
        {outcome && t(outcome)}
      </span>
    </>
  )
}
