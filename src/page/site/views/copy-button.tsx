import { useCopy } from '../clipboard/index.ts'
import { t } from '../words/index.ts'
import { IconButton } from './icon-button.tsx'

/** Copies the text of a message. It is not there where the browser has no clipboard. */
export function CopyButton({ text }: { readonly text: string }) {
  const { isCopied, copy } = useCopy()
  const name = t(isCopied ? 'copied' : 'copy')
  if (!text || !('clipboard' in navigator)) return null
  return <IconButton icon="copy" name={name} onClick={() => void copy(text)} />
}
