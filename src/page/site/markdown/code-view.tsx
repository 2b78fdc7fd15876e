import { useEffect, useRef } from 'preact/hooks'
import { useCopy } from '../clipboard/index.ts'
import { t } from '../words/index.ts'
import { languageOf } from './languages.ts'
import type { CodeNode } from './nodes.ts'
import { piecesOf } from './pieces.ts'
import { scrolled } from './scrolled.ts'
import { nextTurn } from './turns.ts'

/** Code with its language and a button that copies it. It is highlighted once its fence is closed. */
export function CodeView({ code }: { readonly code: CodeNode }) {
  const text = useRef<HTMLElement>(null)
  useHighlighting(text, code)
  return (
    <figure class="markdown-code">
      <figcaption>
        <span>{code.language}</span>
        <CopyButton text={code.text} shown={text} />
      </figcaption>
      <pre {...scrolled(t('code'))}>
        {/* A closed code may have the children of the highlighter. Another text needs another element. */}
        <code key={code.isOpen ? '' : code.text} ref={text}>
          <Pieces text={code.text} />
        </code>
      </pre>
    </figure>
  )
}

/** A long code in pieces, of which only those in view are laid out. */
function Pieces({ text }: { readonly text: string }) {
  const pieces = piecesOf(text)
  if (pieces.length < 2) return <>{text}</>
  return (
    <>
      {pieces.map((piece) => (
        <span class="markdown-piece">{piece}</span>
      ))}
    </>
  )
}

function useHighlighting(shown: { readonly current: HTMLElement | null }, code: CodeNode): void {
  const language = code.isOpen ? undefined : languageOf(code)
  useEffect(() => {
    if (language === undefined) return
    let isShown = true
    const highlight = async () => {
      const { highlighted } = await import('./highlighter.ts')
      await nextTurn()
      if (isShown) shown.current?.replaceChildren(highlighted(code.text, language))
    }
    // Without the highlighter the code stays as it is.
    highlight().catch(() => undefined)
    return () => {
      isShown = false
    }
  }, [code.text, language])
}

function CopyButton(props: {
  readonly text: string
  readonly shown: { readonly current: HTMLElement | null }
}) {
  const { outcome, copy } = useCopy()
  const press = async () => {
    if (await copy(props.text)) return
    // The person can copy it by the keyboard.
    if (props.shown.current) getSelection()?.selectAllChildren(props.shown.current)
  }
  return (
    <>
      <button type="button" onClick={() => void press()}>
        {t(outcome ?? 'copy')}
      </button>
      <span role="status" class="markdown-status">
        {outcome && t(outcome)}
      </span>
    </>
  )
}
