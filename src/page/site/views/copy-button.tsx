import { useCopy } from '../clipboard/index.ts'
import { t } from '../words/index.ts'
import { Icon } from './icon.tsx'

/** Copies the text of a message. It is not there where the browser has no clipboard. */
export function CopyButton({ text }: { readonly text: string }) {
  const { isCopied, copy } = useCopy()
  const name = t(isCopied ? 'copied' : 'copy')
  if (!text || !('clipboard' in navigator)) return null
  return (
    <button
      type="button"
      class="icon"
      aria-label={name}
      title={name}
      onClick={() => void copy(text)}
    >
      <Icon name="copy" />
    </button>
  )
}
