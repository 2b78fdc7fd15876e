import { useEffect, useState } from 'preact/hooks'
import { t } from '../words/index.ts'

const MILLISECONDS_SHOWN = 2000

/** Copies a text, and says so for a moment. */
export function CopyButton({ text }: { readonly text: string }) {
  const [said, setSaid] = useState<string>()
  useEffect(() => {
    if (said === undefined) return undefined
    const timer = setTimeout(() => setSaid(undefined), MILLISECONDS_SHOWN)
    return () => clearTimeout(timer)
  }, [said])
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      setSaid(t('copied'))
    } catch (thrown) {
      setSaid(t('failed', { message: thrown instanceof Error ? thrown.message : String(thrown) }))
    }
  }
  return (
    <>
      <button type="button" class="drawer-button" onClick={() => void copy()}>
        {said ?? t('copy')}
      </button>
      <span class="drawer-said" role="status">
        {said}
      </span>
    </>
  )
}
