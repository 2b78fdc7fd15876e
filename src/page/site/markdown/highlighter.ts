import DOMPurify from 'dompurify'
import type { LanguageFn } from 'highlight.js'
import highlighter from 'highlight.js/lib/core'
import bash from 'highlight.js/lib/languages/bash'
import cpp from 'highlight.js/lib/languages/cpp'
import csharp from 'highlight.js/lib/languages/csharp'
import css from 'highlight.js/lib/languages/css'
import diff from 'highlight.js/lib/languages/diff'
import go from 'highlight.js/lib/languages/go'
import java from 'highlight.js/lib/languages/java'
import javascript from 'highlight.js/lib/languages/javascript'
import json from 'highlight.js/lib/languages/json'
import python from 'highlight.js/lib/languages/python'
import rust from 'highlight.js/lib/languages/rust'
import sql from 'highlight.js/lib/languages/sql'
import typescript from 'highlight.js/lib/languages/typescript'
import xml from 'highlight.js/lib/languages/xml'
import yaml from 'highlight.js/lib/languages/yaml'

const LANGUAGES: { readonly [name: string]: LanguageFn } = {
  bash,
  cpp,
  csharp,
  css,
  diff,
  go,
  java,
  javascript,
  json,
  python,
  rust,
  sql,
  typescript,
  xml,
  yaml,
}

/** The languages of codes within codes, such as a script in HTML. */
const WITHIN: { readonly [name: string]: readonly string[] } = {
  javascript: ['css', 'xml'],
  typescript: ['css', 'xml'],
  xml: ['css', 'javascript'],
}

/** A code as spans with classes, and nothing else. Loaded with the first code that is highlighted. */
export function highlighted(code: string, language: string): DocumentFragment {
  register(language)
  const { value } = highlighter.highlight(code, { language, ignoreIllegals: true })
  return DOMPurify.sanitize(value, {
    ALLOWED_TAGS: ['span'],
    ALLOWED_ATTR: ['class'],
    ALLOW_ARIA_ATTR: false,
    ALLOW_DATA_ATTR: false,
    RETURN_DOM_FRAGMENT: true,
  })
}

/** Languages are made when a code has them: all of them take a slow phone a tenth of a second. */
function register(language: string): void {
  for (const name of [language, ...(WITHIN[language] ?? [])]) {
    const define = LANGUAGES[name]
    if (define && !highlighter.getLanguage(name)) highlighter.registerLanguage(name, define)
  }
}
