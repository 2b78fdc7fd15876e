import { useMemo } from 'preact/hooks'
import { SectionReader } from './section-reader.ts'
import { SectionView } from './section-view.tsx'
import './markdown.css'

/** What is shown of a text. */
export interface MarkdownProps {
  readonly text: string
  /** Whether more of the text may come. */
  readonly isStreaming?: boolean
}

/** A text of a model, as Markdown. Nothing in it runs, and nothing is loaded from other hosts. */
export function Markdown({ text, isStreaming = false }: MarkdownProps) {
  const reader = useMemo(() => new SectionReader(), [])
  const sections = reader.read(text, isStreaming)
  return (
    <div class="markdown">
      {sections.map((section, at) => (
        // Readers go to the end of a text first.
        <SectionView key={at} section={section} isSoon={at >= sections.length - 2} />
      ))}
    </div>
  )
}
