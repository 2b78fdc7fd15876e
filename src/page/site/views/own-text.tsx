import { useSignal } from '@preact/signals'
import { t } from '../words/index.ts'

/** More characters than this take the browser long to draw. */
const LONG = 50_000

/** What a person said. Of a very long text only the beginning is drawn, until somebody asks for all. */
export function OwnText({ text }: { readonly text: string }) {
  const isWhole = useSignal(false)
  if (text.length <= LONG || isWhole.value) return <p class="said">{text}</p>
  return (
    <>
      <p class="said">{text.slice(0, LONG)}…</p>
      <button type="button" onClick={() => (isWhole.value = true)}>
        {t('wholeText', { size: Math.ceil(text.length / 1000) })}
      </button>
    </>
  )
}
