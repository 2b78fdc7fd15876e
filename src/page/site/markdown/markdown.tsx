import { useMemo } from 'preact/hooks'
import { BlockReader } from './block-reader.ts'
import { BlockView } from './block-view.tsx'
import './markdown.css'

/** Of a text with more blocks than this, only those that are in view are laid out. */
const MANY = 200

/** What is shown of a text. */
export interface MarkdownProps {
  readonly text: string
  /** Whether more of the text may come. */
  readonly isStreaming?: boolean
}

/** A text of a model, as Markdown. Nothing in it runs, and nothing is loaded from other hosts. */
export function Markdown({ text, isStreaming = false }: MarkdownProps) {
  const reader = useMemo(() => new BlockReader(document.baseURI), [])
  const blocks = reader.read(text, isStreaming)
  return (
    <div class={blocks.length > MANY ? 'markdown markdown-many' : 'markdown'}>
      {blocks.map((block, index) => (
        // A block keeps its place while the text grows.
        <BlockView key={index} block={block} />
      ))}
    </div>
  )
}
