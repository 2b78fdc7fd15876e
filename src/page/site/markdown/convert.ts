import type { MarkedToken, Token, Tokens } from 'marked'
import { imagePlace, linkAddress } from './addresses.ts'
import { isMath, type MathToken } from './math.ts'
import type { Block, CodeNode, Inline, ListItem, ListNode, MathNode, TableNode } from './nodes.ts'
import { withCharacters } from './text.ts'

const CLOSED = /(?:^|\n)[ \t>]*(?:`{3,}|~{3,})[ \t]*\n*$/
const LANGUAGE = /^[\w#+.-]{1,30}/

/** Where tokens are converted. */
export interface Place {
  /** The address of the page. */
  readonly base: string
  /** Whether more of the text may come. */
  readonly isStreaming: boolean
}

function formula({ tex, raw, isDisplay }: MathToken): MathNode {
  return { kind: 'math', tex: tex.trim(), raw: raw.trim(), isDisplay }
}

/** Converts what marked read to what the page shows. All decisions about links and images are made here. */
export class Converter {
  readonly #place: Place
  #isOpen = false

  constructor(place: Place) {
    this.#place = place
  }

  /** Whether code or a formula that was converted may still be open. */
  get isOpen(): boolean {
    return this.#isOpen
  }

  blocks(tokens: readonly Token[] = []): readonly Block[] {
    return tokens.flatMap((token) =>
      isMath(token) ? [formula(token)] : this.#block(token as MarkedToken),
    )
  }

  #block(token: MarkedToken): readonly Block[] {
    switch (token.type) {
      case 'paragraph':
        return [{ kind: 'paragraph', children: this.#inlines(token.tokens) }]
      case 'heading':
        return [{ kind: 'heading', depth: token.depth, children: this.#inlines(token.tokens) }]
      case 'code':
        return [this.#code(token)]
      case 'blockquote':
        return [{ kind: 'quote', blocks: this.blocks(token.tokens) }]
      case 'list':
        return [this.#list(token)]
      case 'table':
        return [this.#table(token)]
      case 'hr':
        return [{ kind: 'rule' }]
      case 'text':
        return token.tokens
          ? [{ kind: 'line', children: this.#inlines(token.tokens) }]
          : [{ kind: 'plain', text: token.text }]
      default:
        return []
    }
  }

  #code({ raw, text, lang = '', codeBlockStyle }: Tokens.Code): CodeNode {
    const isFence = codeBlockStyle === undefined
    const isOpen = this.#place.isStreaming && isFence && !CLOSED.test(raw.slice(raw.indexOf('\n')))
    if (isOpen) this.#isOpen = true
    return { kind: 'code', language: LANGUAGE.exec(lang)?.[0] ?? '', text, isOpen }
  }

  #list({ ordered, start, items }: Tokens.List): ListNode {
    const numbered = ordered ? { start: Number(start) } : {}
    return { kind: 'list', ...numbered, items: items.map((item) => this.#item(item)) }
  }

  #item({ task, checked, tokens }: Tokens.ListItem): ListItem {
    const blocks = this.blocks(tokens)
    return task ? { isDone: checked === true, blocks } : { blocks }
  }

  #table({ align, header, rows }: Tokens.Table): TableNode {
    const cellsOf = (row: readonly Tokens.TableCell[]) =>
      row.map(({ tokens }) => this.#inlines(tokens))
    return { kind: 'table', aligns: align, header: cellsOf(header), rows: rows.map(cellsOf) }
  }

  #inlines(tokens: readonly Token[] = [], isInLink = false): readonly Inline[] {
    return tokens.flatMap((token) => {
      if ('isOpen' in token) this.#isOpen = true
      return isMath(token) ? [formula(token)] : this.#inline(token as MarkedToken, isInLink)
    })
  }

  #inline(token: MarkedToken, isInLink: boolean): readonly Inline[] {
    switch (token.type) {
      case 'text':
        return [{ kind: 'text', text: token.escaped ? token.text : withCharacters(token.text) }]
      case 'escape':
        return [{ kind: 'text', text: token.text }]
      case 'codespan':
        return [{ kind: 'code', text: token.text }]
      case 'strong':
      case 'em':
      case 'del':
        return [{ kind: token.type, children: this.#inlines(token.tokens, isInLink) }]
      case 'br':
        return [{ kind: 'break' }]
      case 'link':
        return this.#link(token, isInLink)
      case 'image':
        return this.#image(token, isInLink)
      default:
        return []
    }
  }

  /** A link that may not be followed is its text. */
  #link({ href, title, tokens }: Tokens.Link, isInLink: boolean): readonly Inline[] {
    const address = isInLink ? undefined : linkAddress(href)
    if (address === undefined) return this.#inlines(tokens, isInLink)
    const titled = title ? { title: withCharacters(title) } : {}
    return [{ kind: 'link', address, ...titled, children: this.#inlines(tokens, true) }]
  }

  #image({ href, text }: Tokens.Image, isInLink: boolean): readonly Inline[] {
    const alt = withCharacters(text)
    const place = imagePlace(href, this.#place.base)
    // A link cannot contain another.
    if (!place || (isInLink && place.kind === 'remote-image')) return [{ kind: 'text', text: alt }]
    return [{ ...place, alt }]
  }
}
