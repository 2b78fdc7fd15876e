import type { Token } from 'marked'
import { Converter } from './convert.ts'
import { type Links, tokensOf } from './lexer.ts'
import type { Block } from './nodes.ts'
import { PlainRest } from './plain-rest.ts'
import { cleaned } from './text.ts'
import { shown } from './unfinished.ts'

/** How much of a text is read as Markdown. The rest is plain: a page of it would be too large for browsers. */
const MAX_MARKDOWN = 100_000

/** A block, and the text that it is of. */
interface Entry {
  readonly raw: string
  readonly blocks: readonly Block[]
  /** Whether it has a fence that may still be open. */
  readonly isOpen: boolean
}

/**
 * Reads a text that grows. Blocks that are finished are not read again, and stay the same objects. Only when the text is
 * complete it is read once more as a whole, since a later line may name the address of an earlier link.
 */
export class BlockReader {
  readonly #base: string
  #source = ''
  #isStreaming = true
  #done: Entry[] = []
  /** The cleaned text after the finished blocks. */
  #tail = ''
  #links = noLinks()
  #hasLinks = false
  #blocks: readonly Block[] = []
  readonly #rest = new PlainRest()

  /** `base` is the address of the page. */
  constructor(base: string) {
    this.#base = base
  }

  /** The blocks of a text. `isStreaming` tells that more of it may come. */
  read(text: string, isStreaming = false): readonly Block[] {
    const source = headOf(text)
    if (source !== this.#source || isStreaming !== this.#isStreaming) {
      if (isStreaming) this.#grow(source)
      else this.#complete(source)
      this.#source = source
      this.#isStreaming = isStreaming
    }
    if (source.length === text.length) return this.#blocks
    return [...this.#blocks, ...this.#rest.read(text.slice(source.length))]
  }

  #grow(source: string): void {
    if (!this.#isStreaming || !source.startsWith(this.#source)) this.#restart()
    this.#tail += cleaned(source.slice(this.#source.length), this.#source)
    const tokens = tokensOf(shown(this.#tail), this.#links)
    const end = endOfFinished(tokens)
    const entries = tokens.map((token) => this.#entry(token, true))
    for (const token of tokens.slice(0, end)) this.#noteLink(token)
    this.#done.push(...entries.slice(0, end))
    this.#tail = this.#tail.slice(lengthOf(entries.slice(0, end)))
    this.#blocks = [...this.#done, ...entries.slice(end)].flatMap(({ blocks }) => blocks)
  }

  #complete(source: string): void {
    const tokens = tokensOf(cleaned(source))
    const hasLinks = this.#hasLinks || Object.keys(tokens.links).length > 0
    const before = this.#isStreaming && !hasLinks ? this.#done : []
    const entries = tokens.map((token, at) => {
      const known = before[at]
      return known?.raw === token.raw && !known.isOpen ? known : this.#entry(token, false)
    })
    this.#restart()
    this.#blocks = entries.flatMap(({ blocks }) => blocks)
  }

  #restart(): void {
    this.#source = ''
    this.#done = []
    this.#tail = ''
    this.#links = noLinks()
    this.#hasLinks = false
  }

  #entry(token: Token, isStreaming: boolean): Entry {
    const converter = new Converter({ base: this.#base, isStreaming })
    const blocks = converter.blocks([token])
    return { raw: token.raw, blocks, isOpen: converter.hasOpenCode }
  }

  #noteLink(token: Token): void {
    if (token.type !== 'def') return
    const { tag, href, title } = token as { tag: string; href: string; title: string }
    this.#hasLinks = true
    this.#links[tag] ??= { href, title }
  }
}

function noLinks(): Links {
  return Object.create(null) as Links
}

/** The beginning that is read as Markdown, up to an end of a line where there is one. */
function headOf(text: string): string {
  if (text.length <= MAX_MARKDOWN) return text
  const end = text.lastIndexOf('\n', MAX_MARKDOWN - 1) + 1
  return text.slice(0, end > MAX_MARKDOWN / 2 ? end : MAX_MARKDOWN)
}

/** The number of tokens that cannot change: a later line may continue the last two that are no blank lines. */
function endOfFinished(tokens: readonly Token[]): number {
  let open = 2
  for (let at = tokens.length - 1; at >= 0; at--) {
    if (tokens[at]?.type !== 'space' && --open === 0) return at
  }
  return 0
}

function lengthOf(entries: readonly Entry[]): number {
  return entries.reduce((sum, { raw }) => sum + raw.length, 0)
}
