import type { Token } from 'marked'
import { Converter } from './convert.ts'
import { type Links, tokensOf } from './lexer.ts'
import type { Block } from './nodes.ts'
import { cleaned } from './text.ts'
import { shown } from './unfinished.ts'

/** A block, and the text that it is of. */
interface Entry {
  readonly raw: string
  readonly blocks: readonly Block[]
  /** Whether it has code or a formula that may still be open. */
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
  #links: Links
  #hasLinks = false
  #blocks: readonly Block[] = []
  /** The addresses that are named elsewhere. */
  readonly links: Links

  /** `base` is the address of the page. */
  constructor(base: string, links: Links = Object.create(null) as Links) {
    this.#base = base
    this.links = links
    this.#links = copyOf(links)
  }

  /** The blocks of a text. `isStreaming` tells that more of it may come. */
  read(source: string, isStreaming = false): readonly Block[] {
    if (source !== this.#source || isStreaming !== this.#isStreaming) {
      if (isStreaming) this.#grow(source)
      else this.#complete(source)
      this.#source = source
      this.#isStreaming = isStreaming
    }
    return this.#blocks
  }

  #grow(source: string): void {
    if (!this.#isStreaming || !source.startsWith(this.#source)) this.#restart()
    this.#tail += cleaned(source.slice(this.#source.length), this.#source)
    const tokens = tokensOf(shown(this.#tail), this.#links, true)
    const end = endOfFinished(tokens)
    const entries = tokens.map((token) => this.#entry(token, true))
    for (const token of tokens.slice(0, end)) this.#noteLink(token)
    this.#done.push(...entries.slice(0, end))
    this.#tail = this.#tail.slice(lengthOf(entries.slice(0, end)))
    this.#blocks = [...this.#done, ...entries.slice(end)].flatMap(({ blocks }) => blocks)
  }

  #complete(source: string): void {
    const tokens = tokensOf(cleaned(source), this.links)
    const hasLinks = this.#hasLinks || countOf(tokens.links) > countOf(this.links)
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
    this.#links = copyOf(this.links)
    this.#hasLinks = false
  }

  #entry(token: Token, isStreaming: boolean): Entry {
    const converter = new Converter({ base: this.#base, isStreaming })
    const blocks = converter.blocks([token])
    return { raw: token.raw, blocks, isOpen: converter.isOpen }
  }

  #noteLink(token: Token): void {
    if (token.type !== 'def') return
    const { tag, href, title } = token as { tag: string; href: string; title: string }
    this.#hasLinks = true
    this.#links[tag] ??= { href, title }
  }
}

function copyOf(links: Links): Links {
  return Object.assign(Object.create(null) as Links, links)
}

function countOf(links: Links): number {
  return Object.keys(links).length
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
