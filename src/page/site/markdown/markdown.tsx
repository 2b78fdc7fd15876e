import { useMemo } from 'preact/hooks'
import { BlockReader } from './block-reader.ts'
import { BlockView } from './block-view.tsx'
import './markdown.css'

/** What is shown of a text. */
export interface MarkdownProps {
  readonly text: string
  /** Whether more of the text may come. */
  readonly isStreaming?: boolean
}

/** A text of a model, as Markdown. Nothing in it runs, and nothing is loaded from other hosts. */
export function Markdown({ text, isStreaming = false }: MarkdownProps) {
  const reader = useMemo(() => new BlockReader(document.baseURI), [])
  return (
    <div class="markdown">
      {reader.read(text, isStreaming).map((block, index) => (
        // A block keeps its place while the text grows.
        <BlockView key={index} block={block} />
      ))}
    </div>
  )
}
