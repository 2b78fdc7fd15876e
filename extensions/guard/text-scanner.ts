import type { Rule } from './settings.ts'

/** New characters of a text before it is looked at again. */
const STEP = 16

/** What may be shown, and the rule that stops what follows. */
export interface Scan {
  readonly shown: string
  readonly stop?: Rule
}

interface Found {
  readonly rule: Rule
  readonly start: number
  /** It ends where the text ends so far: the next character may undo it. */
  readonly isOpen: boolean
}

/**
 * Follows one text of an answer and lets go what no match can begin in. It looks at places that the text alone
 * decides, never the chunks: however a text is cut, the same of it is shown.
 */
export class TextScanner {
  readonly #rules: readonly Rule[]
  readonly #reach: number
  /**
   * The last two characters that were shown, then what was not: an expression sees one back (a word's edge, a line's
   * beginning), and must not take that one for the beginning of the text.
   */
  #text = ''
  #from = 0
  #due = STEP

  constructor(rules: readonly Rule[]) {
    this.#rules = rules
    this.#reach = Math.max(...rules.map(({ reach }) => reach))
  }

  add(delta: string): Scan {
    this.#text += delta
    let shown = ''
    while (this.#text.length >= this.#due) {
      const scan = this.#look(this.#due)
      shown += scan.shown
      if (scan.stop) return { shown, stop: scan.stop }
    }
    return { shown }
  }

  /** The text is whole. */
  end(): Scan {
    const found = this.#find(this.#text)
    if (found.length === 0) return { shown: this.#text.slice(this.#from) }
    return this.#stopAt(found, found)
  }

  #look(length: number): Scan {
    const seen = this.#text.slice(0, length)
    const found = this.#find(seen)
    const sure = found.filter(({ isOpen }) => !isOpen)
    if (sure.length > 0) return this.#stopAt(found, sure)
    const first = Math.min(length - this.#reach, ...found.map(({ start }) => start))
    const end = Math.max(this.#from, wholeCharacters(seen, first))
    const shown = seen.slice(this.#from, end)
    const kept = before(seen, before(seen, end))
    this.#text = this.#text.slice(kept)
    this.#from = end - kept
    const held = length - end
    // What a long match holds is looked at again only when it has grown by half: linear in its length.
    this.#due = length - kept + Math.max(STEP, held > 4 * this.#reach ? Math.ceil(held / 2) : 0)
    return { shown }
  }

  #stopAt(found: readonly Found[], sure: readonly Found[]): Scan {
    const start = Math.min(...found.map((one) => one.start))
    const first = sure.reduce((best, one) => (one.start < best.start ? one : best))
    return { shown: this.#text.slice(this.#from, start), stop: first.rule }
  }

  /** The first match of each rule. */
  #find(seen: string): readonly Found[] {
    return this.#rules.flatMap((rule) => {
      const matcher = rule.pattern.matcher(seen)
      // The edge of a word is part of what the expression for words takes.
      const from = rule.group === 0 ? this.#from : before(seen, this.#from)
      if (!matcher.find(from)) return []
      const start = Math.max(matcher.start(rule.group), this.#from)
      return [{ rule, start, isOpen: matcher.end() === seen.length }]
    })
  }
}

/** A character of two halves goes out whole. */
function wholeCharacters(text: string, end: number): number {
  return isFirstHalf(text, end - 1) ? end - 1 : end
}

/** Where the character before a place begins. */
function before(text: string, at: number): number {
  return Math.max(0, isFirstHalf(text, at - 2) ? at - 2 : at - 1)
}

function isFirstHalf(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  return code >= 0xd800 && code <= 0xdbff
}
