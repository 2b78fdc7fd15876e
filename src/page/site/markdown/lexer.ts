import { Lexer, type Token, Tokenizer, type Tokens, type TokensList } from 'marked'
import {
  blockMath,
  blockMathStart,
  inlineMath,
  inlineMathStart,
  openBlockMath,
  openBlockMathStart,
  openInlineMath,
} from './math.ts'

/** How deep quotes, lists and emphasis are read. What is deeper is plain text. */
const MAX_DEPTH = 24
/** The longest text between blank lines that is searched for emphasis and links. */
const MAX_INLINE = 20_000
const MAX_CELLS = 10_000
/** The first two lines of a table. */
const TABLE = /^([^\n]*)\n[ :|-]*(?:\n|$)/
/** A line that ends a table. */
const TABLE_END = /^\s*$|^ {0,3}(?:#{1,6}\s|>|`{3}|~{3}|[-*+]\s|\d{1,9}[.)]\s)/

/** Reads Markdown. HTML is text to it, and a table too large to be shown is too. */
class TextTokenizer extends Tokenizer {
  override html(): undefined {
    return undefined
  }

  override tag(): undefined {
    return undefined
  }

  override table(src: string): Tokens.Table | undefined {
    const header = TABLE.exec(src)?.[1]
    if (header === undefined) return undefined
    // Every row gets as many cells as the header.
    const length = lengthOfRows(src, MAX_CELLS / header.split('|').length)
    // The rows are taken as one text. If each were tried as a table again, it would take quadratic time.
    return length === undefined
      ? super.table(src)
      : (plain(src.slice(0, length)) as Tokens.Generic as Tokens.Table)
  }
}

/** The length of the rows of a table that has too many. Undefined for one that has not. */
function lengthOfRows(src: string, max: number): number | undefined {
  let at = 0
  for (let rows = 0; rows <= max; rows++) {
    const end = src.indexOf('\n', at)
    if (end < 0 || (rows > 1 && TABLE_END.test(src.slice(at, end)))) return undefined
    at = end + 1
  }
  return at
}

class CappedLexer extends Lexer {
  #blockDepth = 0
  #inlineDepth = 0

  override blockTokens(src: string, tokens?: Token[], isClipped?: boolean): Token[]
  override blockTokens(src: string, tokens?: TokensList, isClipped?: boolean): TokensList
  override blockTokens(src: string, tokens: Token[] = [], isClipped?: boolean): Token[] {
    if (this.#blockDepth >= MAX_DEPTH) {
      tokens.push(plain(src))
      return tokens
    }
    this.#blockDepth++
    const read = super.blockTokens(src, tokens, isClipped)
    this.#blockDepth--
    return read
  }

  override inlineTokens(src: string, tokens: Token[] = []): Token[] {
    if (this.#inlineDepth >= MAX_DEPTH || src.length > MAX_INLINE) {
      tokens.push(plain(src))
      return tokens
    }
    this.#inlineDepth++
    const read = super.inlineTokens(src, tokens)
    this.#inlineDepth--
    return read
  }
}

function plain(text: string): Token {
  return { type: 'text', raw: text, text, escaped: true }
}

/** The addresses that a text names, by their names. */
export type Links = TokensList['links']

/**
 * The tokens of a text, which together have all its characters. Their addresses may be named in `links`. While more of the
 * text may come, the beginning of a formula is none.
 */
export function tokensOf(text: string, links?: Links, isStreaming = false): TokensList {
  const lexer = new CappedLexer({
    gfm: true,
    tokenizer: new TextTokenizer(),
    extensions: {
      renderers: {},
      childTokens: {},
      inline: isStreaming ? [inlineMath, openInlineMath] : [inlineMath],
      startInline: [inlineMathStart],
      block: isStreaming ? [blockMath, openBlockMath] : [blockMath],
      startBlock: [isStreaming ? openBlockMathStart : blockMathStart],
    },
  })
  Object.assign(lexer.tokens.links, links)
  return lexer.lex(text)
}
