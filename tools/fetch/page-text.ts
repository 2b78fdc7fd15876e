import { Tokenizer, type TokenizerCallbacks } from 'htmlparser2'
import { HiddenPart, TagAttributes } from './hidden.ts'

const UNSEEN = new Set([
  'script',
  'style',
  'noscript',
  'template',
  'svg',
  'iframe',
  'object',
  'head',
])
const BLOCKS = new Set(
  `address article aside blockquote br dd details div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6
   header hr li main nav ol p pre section summary table tbody td th thead title tr ul`.split(/\s+/),
)
const MARKS: { readonly [tag: string]: string } = {
  h1: '# ',
  h2: '## ',
  h3: '### ',
  h4: '#### ',
  h5: '##### ',
  h6: '###### ',
  li: '- ',
}
/**
 * Extracts the visible text of an HTML page. It reads tag by tag and builds no tree, so that deep nesting costs no
 * memory.
 */
export function textOfHtml(html: string): { readonly title: string; readonly text: string } {
  const page = new PageText(html)
  const tokenizer = new Tokenizer({ xmlMode: false, decodeEntities: true }, page)
  tokenizer.write(html)
  tokenizer.end()
  return { title: page.title.replaceAll(/\s+/g, ' ').trim(), text: tidy(page.text) }
}

const nothing = (): void => undefined

/** Collects the text of a page from the tokenizer's events, which give positions in the page. */
class PageText implements TokenizerCallbacks {
  title = ''
  readonly #html: string
  readonly #pieces: string[] = []
  /** The open elements whose content is invisible. */
  readonly #unseen: string[] = []
  #isTitle = false
  /** The element that opens, and what its tag says. */
  #opening = ''
  #attributes = new TagAttributes()
  /** The content of an element that its tag hides. */
  #hidden: HiddenPart | undefined
  readonly onattribend = nothing
  readonly oncdata = nothing
  readonly oncomment = nothing
  readonly ondeclaration = nothing
  readonly onend = nothing
  readonly onprocessinginstruction = nothing

  constructor(html: string) {
    this.#html = html
  }

  get text(): string {
    return this.#pieces.join('')
  }

  onopentagname(start: number, end: number): void {
    const name = this.#nameAt(start, end)
    this.#opening = ''
    if (this.#hidden?.opened(name)) return
    this.#hidden = undefined
    this.#opening = name
    this.#attributes = new TagAttributes()
    // The end tag of the head is optional.
    if (name === 'body') this.#unseen.length = 0
    // Inside an invisible element only elements of the same name are counted: its end tag closes all others.
    if (this.#unseen.length === 0 ? UNSEEN.has(name) : this.#unseen.at(-1) === name) {
      this.#unseen.push(name)
    }
    if (name === 'title') this.#isTitle = this.title === ''
    if (this.#unseen.length === 0 && BLOCKS.has(name)) this.#pieces.push('\n', MARKS[name] ?? '')
  }

  onattribname(start: number, end: number): void {
    this.#attributes.begin(this.#html.slice(start, end))
  }

  onattribdata(start: number, end: number): void {
    this.#attributes.add(this.#html.slice(start, end))
  }

  onattribentity(codepoint: number): void {
    this.#attributes.add(String.fromCodePoint(codepoint))
  }

  onopentagend(): void {
    const isShown = this.#opening !== '' && this.#unseen.length === 0
    if (isShown && this.#attributes.hides(this.#opening))
      this.#hidden = new HiddenPart(this.#opening, (name) => BLOCKS.has(name))
  }

  onselfclosingtag(): void {
    this.#isTitle = false
  }

  onclosetag(start: number, end: number): void {
    const name = this.#nameAt(start, end)
    if (this.#hidden?.closed(name)) return
    this.#hidden = undefined
    if (this.#unseen.at(-1) === name) this.#unseen.pop()
    if (name === 'title') this.#isTitle = false
    if (this.#unseen.length === 0 && BLOCKS.has(name)) this.#pieces.push('\n')
  }

  ontext(start: number, end: number): void {
    this.#add(this.#html.slice(start, end))
  }

  ontextentity(codepoint: number): void {
    this.#add(String.fromCodePoint(codepoint))
  }

  #add(text: string): void {
    if (this.#isTitle) this.title += text
    else if (this.#unseen.length === 0 && !this.#hidden)
      this.#pieces.push(text.replaceAll(/\s+/g, ' '))
  }

  #nameAt(start: number, end: number): string {
    return this.#html.slice(start, end).toLowerCase()
  }
}

function tidy(text: string): string {
  const lines = text.split('\n').map((line) => line.replaceAll(/ {2,}/g, ' ').trim())
  const isMark = (line: string) => line === '-' || /^#+$/.test(line)
  return lines.filter((line) => line !== '' && !isMark(line)).join('\n')
}
