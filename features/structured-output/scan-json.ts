/** The maximum nesting depth. Messages do not allow much more. */
export const DEEPEST = 100

/** The result of a scan that starts at a bracket. */
export interface Scan {
  readonly outcome: 'whole' | 'broken' | 'cut' | 'deep'
  /** The index after the value, or of the first character that is not valid JSON. */
  readonly end: number
}

/** Scans an object or array up to its end. It checks brackets, keys and commas, and scalars only roughly. */
export function scanJson(text: string, start: number): Scan {
  const scanner = new Scanner(text, start)
  const isWhole = scanner.nested(1)
  const { at: end, isTooDeep } = scanner
  if (isWhole) return { outcome: 'whole', end }
  if (isTooDeep) return { outcome: 'deep', end }
  return { outcome: end >= text.length ? 'cut' : 'broken', end }
}

const SPACE = /[ \t\n\r]*/y
const SCALAR = /-?\d[\d.eE+-]*|true|false|null/y

class Scanner {
  readonly #text: string
  at: number
  isTooDeep = false

  constructor(text: string, at: number) {
    this.#text = text
    this.at = at
  }

  nested(depth: number): boolean {
    if (depth > DEEPEST) {
      this.isTooDeep = true
      return false
    }
    const isObject = this.#text[this.at] === '{'
    const close = isObject ? '}' : ']'
    this.at++
    if (this.#takes(close)) return true
    for (;;) {
      if (isObject && !this.#key()) return false
      if (!this.#value(depth)) return false
      if (this.#takes(close)) return true
      if (!this.#takes(',')) return false
    }
  }

  #value(depth: number): boolean {
    this.#skip(SPACE)
    const first = this.#text[this.at]
    if (first === '"') return this.#string()
    return first === '{' || first === '[' ? this.nested(depth + 1) : this.#skip(SCALAR)
  }

  #key(): boolean {
    this.#skip(SPACE)
    return this.#text[this.at] === '"' && this.#string() && this.#takes(':')
  }

  #string(): boolean {
    for (this.at++; this.at < this.#text.length; this.at++) {
      const character = this.#text[this.at] as string
      if (character === '"') {
        this.at++
        return true
      }
      if (character < ' ') return false
      if (character === '\\') this.at++
    }
    return false
  }

  /** Consumes white space and the given character if it comes next. */
  #takes(character: string): boolean {
    this.#skip(SPACE)
    if (this.#text[this.at] !== character) return false
    this.at++
    return true
  }

  #skip(pattern: RegExp): boolean {
    pattern.lastIndex = this.at
    if (!pattern.test(this.#text)) return false
    this.at = pattern.lastIndex
    return true
  }
}
