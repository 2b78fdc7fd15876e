import type { Tokens } from 'marked'

/** How far the end of a formula is looked for. */
const MAX_FORMULA = 5000

// As in Pandoc: no space inside the dollars, and no digit after them. So "$5 and $10" is no formula.
const INLINE = [
  /^\$\$(?!\s*\$)[^$]{1,5000}\$\$/,
  /^\$(?![\s$])(?:[^$\\\n]|\\.){0,500}?(?<![\s\\])\$(?!\d)/,
  /^\\\((?:[^\\]|\\[^()]){1,5000}?\\\)/,
  /^\\\[(?:[^\\]|\\[^[\]]){1,5000}?\\\]/,
]
const BLOCK = [
  /^ {0,3}\$\$(?:(?!\$\$|\n[ \t]*\n)[\s\S]){1,5000}?\$\$[ \t]*(?:\n|$)/,
  /^ {0,3}\\\[(?:(?!\\\]|\n[ \t]*\n)[\s\S]){1,5000}?\\\][ \t]*(?:\n|$)/,
]
const START = /\n {0,3}(?:\$\$|\\\[)/

/** A formula in a line. It stays as it is written, because Markdown would drop its backslashes and stars. */
export function inlineMath(src: string): Tokens.Generic | undefined {
  if (src[0] !== '$' && src[0] !== '\\') return undefined
  const raw = matchOf(INLINE, src)
  return raw === undefined ? undefined : { type: 'escape', raw, text: raw }
}

export function inlineMathStart(src: string): number | undefined {
  const at = src.indexOf('$')
  return at < 0 ? undefined : at
}

/** A formula on lines of its own. */
export function blockMath(src: string): Tokens.Generic | undefined {
  const raw = matchOf(BLOCK, src)
  return raw === undefined ? undefined : { type: 'text', raw, text: raw.trim(), escaped: true }
}

export function blockMathStart(src: string): number | undefined {
  const at = src.slice(0, MAX_FORMULA).search(START)
  return at < 0 ? undefined : at + 1
}

function matchOf(patterns: readonly RegExp[], src: string): string | undefined {
  const head = src.slice(0, MAX_FORMULA)
  for (const pattern of patterns) {
    const match = pattern.exec(head)
    if (match) return match[0]
  }
  return undefined
}
