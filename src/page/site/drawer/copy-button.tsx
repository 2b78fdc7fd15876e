import { useState } from 'preact/hooks'
import { useCopy } from '../clipboard/index.ts'
import { t } from '../words/index.ts'

/** Copies a text, and says so for a moment, or why it could not. */
export function CopyButton({ text }: { readonly text: string }) {
  const { isCopied, copy } = useCopy()
  const [fault, setFault] = useState<string>()
  const said = isCopied ? t('copied') : fault
  const press = async () => {
    try {
      setFault(undefined)
      await copy(text)
    } catch (thrown) {
      setFault(t('failed', { message: thrown instanceof Error ? thrown.message : String(thrown) }))
    }
  }
  return (
    <>
      <button type="button" class="drawer-button" onClick={() => void press()}>
        {said ?? t('copy')}
      </button>
      <span class="drawer-said" role="status">
        {said}
      </span>
    </>
  )
}
