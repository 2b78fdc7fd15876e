import { Parser } from 'htmlparser2'
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

/** What a reader sees of an HTML page. No tree is built: no depth of nesting is too much. */
export function textOfHtml(html: string): { readonly title: string; readonly text: string } {
  let unseen = 0
  let isTitle = false
  let title = ''
  const pieces: string[] = []
  const parser = new Parser({
    onopentagname(name) {
      if (UNSEEN.has(name)) unseen++
      if (name === 'title') isTitle = title === ''
      if (unseen === 0 && BLOCKS.has(name)) pieces.push('\n', MARKS[name] ?? '')
    },
    ontext(text) {
      if (isTitle) title += text
      else if (unseen === 0) pieces.push(text.replaceAll(/\s+/g, ' '))
    },
    onclosetag(name) {
      if (UNSEEN.has(name)) unseen--
      if (name === 'title') isTitle = false
      if (unseen === 0 && BLOCKS.has(name)) pieces.push('\n')
    },
  })
  parser.end(html)
  return { title: title.replaceAll(/\s+/g, ' ').trim(), text: tidy(pieces.join('')) }
}

function tidy(text: string): string {
  const lines = text.split('\n').map((line) => line.replaceAll(/ {2,}/g, ' ').trim())
  const isMark = (line: string) => line === '-' || /^#+$/.test(line)
  return lines.filter((line) => line !== '' && !isMark(line)).join('\n')
}
