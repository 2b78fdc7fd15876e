import { Tokenizer, type TokenizerCallbacks } from 'htmlparser2'
import type { Answer } from './request.ts'

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
const SHOWN =
  /^(?:text\/|application\/(?:[\w.-]+\+)?(?:json|xml)|application\/(?:x-)?(?:javascript|yaml|ndjson))/

/** Whether a type of content is text. */
export function isText(contentType: string): boolean {
  return SHOWN.test(contentType.toLowerCase())
}

export function isHtml(contentType: string): boolean {
  return /^(?:text\/html|application\/xhtml\+xml)/i.test(contentType)
}

/** The text of an answer in its own encoding; of one that nobody knows, in UTF-8. */
export function decode({ bytes, contentType }: Answer): string {
  const named = /charset\s*=\s*["']?([\w:.-]+)/i
  const head = bytes.subarray(0, 1024).toString('latin1')
  const label =
    named.exec(contentType)?.[1] ?? (isHtml(contentType) ? named.exec(head)?.[1] : undefined)
  try {
    return new TextDecoder(label ?? 'utf-8').decode(bytes)
  } catch {
    return new TextDecoder().decode(bytes)
  }
}

/**
 * What a reader sees of an HTML page. Tags are read one by one and no tree of them is kept, neither by us nor
 * by the parser: what is open costs nothing, however deep a page is nested.
 */
export function textOfHtml(html: string): { readonly title: string; readonly text: string } {
  const page = new PageText(html)
  const tokenizer = new Tokenizer({ xmlMode: false, decodeEntities: true }, page)
  tokenizer.write(html)
  tokenizer.end()
  return { title: page.title.replaceAll(/\s+/g, ' ').trim(), text: tidy(page.text) }
}

const nothing = (): void => undefined

/** Gathers the text of a page from its tokens, which are places in it. */
class PageText implements TokenizerCallbacks {
  title = ''
  readonly #html: string
  readonly #pieces: string[] = []
  /** Elements that are open and not for the eye; what is in them is not either. */
  readonly #unseen: string[] = []
  #isTitle = false
  readonly onattribdata = nothing
  readonly onattribentity = nothing
  readonly onattribend = nothing
  readonly onattribname = nothing
  readonly oncdata = nothing
  readonly oncomment = nothing
  readonly ondeclaration = nothing
  readonly onend = nothing
  readonly onopentagend = nothing
  readonly onprocessinginstruction = nothing

  constructor(html: string) {
    this.#html = html
  }

  get text(): string {
    return this.#pieces.join('')
  }

  onopentagname(start: number, end: number): void {
    const name = this.#nameAt(start, end)
    // The end of the head may be left out.
    if (name === 'body') this.#unseen.length = 0
    // In what is not for the eye, only another of its kind counts: others are closed by its end.
    if (this.#unseen.length === 0 ? UNSEEN.has(name) : this.#unseen.at(-1) === name) {
      this.#unseen.push(name)
    }
    if (name === 'title') this.#isTitle = this.title === ''
    if (this.#unseen.length === 0 && BLOCKS.has(name)) this.#pieces.push('\n', MARKS[name] ?? '')
  }

  onselfclosingtag(): void {
    this.#isTitle = false
  }

  onclosetag(start: number, end: number): void {
    const name = this.#nameAt(start, end)
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
    else if (this.#unseen.length === 0) this.#pieces.push(text.replaceAll(/\s+/g, ' '))
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
