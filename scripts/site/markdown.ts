import { Marked, type Tokens } from 'marked'
import { codeBlock } from './code.ts'
import { drawingOf } from './drawing.ts'
import { escaped, slugsOf } from './html.ts'

/** A heading with the text below it, up to the next heading. */
export interface Section {
  readonly id: string
  readonly title: string
  text: string
}

export interface Rendered {
  readonly title: string
  readonly html: string
  readonly sections: readonly Section[]
}

/** Returns the address of a link or an image in the site. */
type Resolve = (link: string) => string

/** Renders a page of Markdown. Its sections are what the search finds. */
export function render(markdown: string, resolve: Resolve): Rendered {
  const sections: Section[] = []
  const marked = markedFor(resolve, sections)
  const tokens = marked.lexer(markdown)
  for (const token of tokens) {
    const last = sections.at(-1)
    if (token.type === 'heading') {
      const title = plain(token as Tokens.Heading)
      sections.push({ id: '', title, text: '' })
    } else if (last) last.text += ` ${token.raw}`
  }
  const slugs = slugsOf(sections.map(({ title }) => title))
  const known = sections.map((section, at) => ({ ...section, id: slugs[at] ?? '' }))
  sections.splice(0, sections.length, ...known)
  return { title: sections[0]?.title ?? '', html: paired(marked.parser(tokens)), sections }
}

function markedFor(resolve: Resolve, sections: readonly Section[]): Marked {
  let headings = 0
  return new Marked({
    renderer: {
      heading({ tokens, depth }) {
        const { id = '' } = sections[headings++] ?? {}
        const text = this.parser.parseInline(tokens)
        const link = `<a class="anchor" href="#${id}" aria-label="Link to this section">#</a>`
        return `<h${depth} id="${id}">${text} ${depth === 1 ? '' : link}</h${depth}>\n`
      },
      link({ href, tokens }) {
        return `<a href="${escaped(resolve(href))}">${this.parser.parseInline(tokens)}</a>`
      },
      image({ href, text }) {
        return `<img src="${escaped(resolve(href))}" alt="${escaped(text)}">`
      },
      code({ text, lang = '' }) {
        return lang === 'mermaid' ? drawingOf(text) : codeBlock(text, lang)
      },
      table(token) {
        const cells = (row: readonly Tokens.TableCell[], tag: string) =>
          row.map(({ tokens }) => cell(tag, this.parser.parseInline(tokens))).join('')
        const rows = token.rows.map((row) => `<tr>${cells(row, 'td')}</tr>`).join('\n')
        const head = `<thead><tr>${cells(token.header, 'th')}</tr></thead>`
        return `<div class="table" tabindex="0" role="group" aria-label="Table"><table>${head}<tbody>${rows}</tbody></table></div>\n`
      },
    },
  })
}

/** A cell of a table. One without content is no header, even in the first row. */
function cell(tag: string, html: string): string {
  return html === '' ? '<td></td>' : `<${tag}>${html}</${tag}>`
}

function plain({ text }: Tokens.Heading): string {
  return text.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll('`', '')
}

/** Puts blocks of TypeScript and Python that follow each other side by side. */
function paired(html: string): string {
  const block = (language: string) =>
    `<figure class="code" data-language="${language}">(?:(?!</figure>)[^])*</figure>\n`
  const pair = new RegExp(`${block('ts')}${block('python')}`, 'g')
  return html.replaceAll(pair, (both) => `<div class="pair">\n${both}</div>\n`)
}
