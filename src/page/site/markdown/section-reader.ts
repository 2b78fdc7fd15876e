import { definitionsIn } from './definitions.ts'
import type { Links } from './lexer.ts'
import { SectionSplitter, type Span } from './section-splitter.ts'
import { cleaned } from './text.ts'

/** A part of a text that is read as Markdown by itself. */
export interface Section {
  readonly text: string
  /** Whether more of it may come. */
  readonly isStreaming: boolean
  /** The addresses that other sections name. */
  readonly links: Links
}

const NONE = Object.create(null) as Links

/** The sections of a text that grows. A section that is finished stays the same object, unless a later one names its addresses. */
export class SectionReader {
  #source = ''
  #text = ''
  #splitter = new SectionSplitter()
  #sections: readonly Section[] = []
  #links = NONE
  #isStreaming = true

  /** `isStreaming` tells that more of the text may come. */
  read(source: string, isStreaming: boolean): readonly Section[] {
    if (source === this.#source && isStreaming === this.#isStreaming) return this.#sections
    if (!this.#isStreaming || !source.startsWith(this.#source)) this.#restart()
    this.#text += cleaned(source.slice(this.#source.length), this.#source)
    this.#source = source
    this.#isStreaming = isStreaming
    const spans = this.#splitter.read(this.#text)
    for (const span of spans.slice(Math.max(0, this.#sections.length - 1), -1))
      this.#links = definitionsIn(this.#textOf(span), this.#links)
    if (!isStreaming && spans.length > 1)
      this.#links = definitionsIn(this.#textOf(spans.at(-1) as Span), this.#links)
    this.#sections = spans.map((span, at) => this.#section(span, at, at === spans.length - 1))
    return this.#sections
  }

  #section(span: Span, at: number, isLast: boolean): Section {
    const before = this.#sections[at]
    const isOpen = isLast && this.#isStreaming
    if (before && !before.isStreaming && !this.#isBetterLinked(before)) return before
    const text = this.#textOf(span)
    const links = before && isOpen ? before.links : this.#links
    return { text, isStreaming: isOpen, links }
  }

  #isBetterLinked({ text, links }: Section): boolean {
    return !this.#isStreaming && links !== this.#links && text.includes('[')
  }

  #textOf({ start, end, lead }: Span): string {
    return lead + this.#text.slice(start, end)
  }

  #restart(): void {
    this.#source = ''
    this.#text = ''
    this.#splitter = new SectionSplitter()
    this.#sections = []
    this.#links = NONE
  }
}
