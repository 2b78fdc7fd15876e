import type { Token, Tokens } from 'marked'

/** A formula that marked read. */
export interface MathToken extends Tokens.Generic {
  readonly type: 'math'
  readonly tex: string
  /** Whether it stands on lines of its own. */
  readonly isDisplay: boolean
}

/** How far the end of a formula in a line is looked for. */
const MAX_FORMULA = 5000

// As in Pandoc: no space inside the dollars, and no digit after them. So "$5 and $10" is no formula.
const INLINE = [
  /^\$\$(?!\s*\$)([^$]{1,5000})\$\$/,
  /^\$(?![\s$])((?:[^$\\\n]|\\.){0,500}?)(?<![\s\\])\$(?!\d)/,
  /^\\\(((?:[^\\]|\\[^()]){1,5000}?)\\\)/,
  /^\\\[((?:[^\\]|\\[^[\]]){1,5000}?)\\\]/,
]
const OPENING = /^ {0,3}(\$\$|\\\[)/
const START = /\n {0,3}(?:\$\$|\\\[)/g
/** How many beginnings of formulas are tried in a paragraph. */
const MAX_STARTS = 8
const BLANK_LINE = /\n[ \t]*\n/

/** A formula in a line. */
export function inlineMath(src: string): MathToken | undefined {
  if (src[0] !== '$' && src[0] !== '\\') return undefined
  const head = src.slice(0, MAX_FORMULA)
  for (const pattern of INLINE) {
    const [raw, tex = ''] = pattern.exec(head) ?? []
    if (raw !== undefined)
      return { type: 'math', raw, tex, isDisplay: raw.startsWith('$$') || raw[1] === '[' }
  }
  return undefined
}

/** A formula in a line whose end has not come yet. It stays as it is written, so that nothing in it moves. */
export function openInlineMath(src: string): Tokens.Generic | undefined {
  if (!/^(?:\\[([]|\$\$)/.test(src)) return undefined
  return inlineMath(src) ?? { type: 'escape', raw: src, text: src, isOpen: true }
}

export function inlineMathStart(src: string): number | undefined {
  const at = src.indexOf('$')
  return at < 0 ? undefined : at
}

/** A formula on lines of its own. */
export function blockMath(src: string): MathToken | undefined {
  const [opening, delimiter] = OPENING.exec(src) ?? []
  if (opening === undefined) return undefined
  const end = src.indexOf(closing(delimiter), opening.length)
  if (end < 0) return undefined
  const tex = src.slice(opening.length, end)
  const lineEnd = src.indexOf('\n', end) + 1 || src.length
  const isAlone = src.slice(end + 2, lineEnd).trim() === ''
  if (!isAlone || tex.trim() === '' || BLANK_LINE.test(tex)) return undefined
  return { type: 'math', raw: src.slice(0, lineEnd), tex, isDisplay: true }
}

/** A formula on lines of its own whose end has not come yet. */
export function openBlockMath(src: string): Tokens.Generic | undefined {
  const [opening, delimiter] = OPENING.exec(src) ?? []
  if (opening === undefined || BLANK_LINE.test(src)) return undefined
  const end = src.indexOf(closing(delimiter), opening.length)
  return end < 0 ? { type: 'text', raw: src, text: src.trim(), escaped: true } : undefined
}

function closing(opening: string | undefined): string {
  return opening === '$$' ? '$$' : '\\]'
}

export function blockMathStart(src: string): number | undefined {
  return startOf(blockMath, src)
}

export function openBlockMathStart(src: string): number | undefined {
  return startOf((text) => blockMath(text) ?? openBlockMath(text), src)
}

/** Where a paragraph ends because a formula begins. To end it where none does would make marked read every line anew. */
function startOf(read: (src: string) => Tokens.Generic | undefined, src: string) {
  const head = src.slice(0, MAX_FORMULA)
  for (const { index } of [...head.matchAll(START)].slice(0, MAX_STARTS)) {
    if (read(src.slice(index + 1))) return index + 1
  }
  return undefined
}

export function isMath(token: Token): token is MathToken {
  return token.type === 'math'
}
