import { escaped } from './html.ts'

const TITLES: { readonly [name: string]: string } = { ts: 'TypeScript', python: 'Python' }

const SCRIPT_WORDS =
  'as async await break case catch class const continue declare default else export extends false finally for from function if implements import in instanceof interface keyof let new null of readonly return satisfies static switch this throw true try type typeof undefined unique void while yield boolean number object string symbol unknown never'
const PYTHON_WORDS =
  'and as assert async await class def elif else except False finally for from if import in is lambda None not or pass raise return True try while with yield'

const STRING = String.raw`'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"`
const NUMBER = String.raw`\b\d[\d_.]*\b`

/** The comments, strings and words of a language, as regular expressions. */
interface Grammar {
  readonly comment: string
  readonly string: string
  readonly words: string
}

const SCRIPT: Grammar = {
  comment: String.raw`\/\/[^\n]*|\/\*(?:[^*]|\*(?!\/))*\*\/`,
  string: `${STRING}|\`(?:[^\`\\\\]|\\\\[^])*\``,
  words: SCRIPT_WORDS,
}
const HASH: Grammar = { comment: '#[^\n]*', string: STRING, words: '' }
const GRAMMARS: { readonly [language: string]: Grammar } = {
  js: SCRIPT,
  ts: SCRIPT,
  json: { ...SCRIPT, words: 'true false null' },
  python: { ...HASH, string: `"""(?:[^"]|"(?!""))*"""|${STRING}`, words: PYTHON_WORDS },
  sh: HASH,
  toml: { ...HASH, words: 'true false' },
  yaml: { ...HASH, words: 'true false null' },
}

/** Renders a block of code. Behind the language, `info` may have the name of a file. */
export function codeBlock(code: string, info: string): string {
  const [language = '', file = ''] = info.split(' ')
  const title = file || (TITLES[language] ?? '')
  const caption = title && `<figcaption>${escaped(title)}</figcaption>`
  const label = escaped(title || 'Code')
  return `<figure class="code" data-language="${escaped(language)}">${caption}<pre tabindex="0" role="group" aria-label="${label}"><code>${colored(code, language)}</code></pre></figure>\n`
}

const expressions = new Map(
  Object.entries(GRAMMARS).map(([language, { comment, string, words }]) => {
    const word = words === '' ? '(?!)' : `\\b(?:${words.replaceAll(' ', '|')})\\b`
    const kinds = { comment, string, word, number: NUMBER }
    const groups = Object.entries(kinds).map(([kind, expression]) => `(?<${kind}>${expression})`)
    return [language, new RegExp(groups.join('|'), 'g')] as const
  }),
)

/** Code as HTML, in which spans with a class mark comments, strings, words of the language and numbers. */
export function colored(code: string, language: string): string {
  const expression = expressions.get(language)
  if (!expression) return escaped(code)
  let html = ''
  let end = 0
  for (const { 0: text, index, groups = {} } of code.matchAll(expression)) {
    const kind = Object.keys(groups).find((name) => groups[name] !== undefined)
    html += `${escaped(code.slice(end, index))}<span class="${kind}">${escaped(text)}</span>`
    end = index + text.length
  }
  return html + escaped(code.slice(end))
}
