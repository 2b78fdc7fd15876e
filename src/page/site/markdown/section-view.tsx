import { Component, type ComponentChildren } from 'preact'
import { BlockReader } from './block-reader.ts'
import { BlockView } from './block-view.tsx'
import type { Section } from './section-reader.ts'
import { nextTurn } from './turns.ts'

interface SectionProps {
  readonly section: Section
  /** Whether it is read at once, and not in a turn of its own. */
  readonly isSoon: boolean
}

/** A section of a text, which is drawn again only when it is another. Until it is read, its text is as it is written. */
export class SectionView extends Component<SectionProps, { readonly isRead: boolean }> {
  override state = { isRead: this.props.isSoon }
  #reader: BlockReader | undefined
  #isShown = false

  override componentDidMount(): void {
    this.#isShown = true
    if (!this.state.isRead) void this.#wait()
  }

  override componentWillUnmount(): void {
    this.#isShown = false
  }

  override shouldComponentUpdate({ section }: SectionProps, { isRead }: { isRead: boolean }) {
    return section !== this.props.section || isRead !== this.state.isRead
  }

  async #wait(): Promise<void> {
    await nextTurn()
    if (this.#isShown) this.setState({ isRead: true })
  }

  override render({ section }: SectionProps, { isRead }: { isRead: boolean }): ComponentChildren {
    return (
      <div
        class="markdown-section"
        style={{ containIntrinsicBlockSize: `auto ${heightOf(section)}rem` }}
      >
        {isRead ? this.#blocks(section) : <div class="markdown-plain">{section.text}</div>}
      </div>
    )
  }

  #blocks({ text, isStreaming, links }: Section): ComponentChildren {
    if (this.#reader?.links !== links) this.#reader = new BlockReader(document.baseURI, links)
    return this.#reader.read(text, isStreaming).map((block, index) => (
      // A block keeps its place while the text grows.
      <BlockView key={index} block={block} />
    ))
  }
}

/** About how high a section is, for as long as it is not laid out. */
function heightOf({ text, isStreaming }: Section): number {
  return isStreaming ? 0 : Math.ceil(1.2 * text.split('\n').length + text.length / 80)
}
