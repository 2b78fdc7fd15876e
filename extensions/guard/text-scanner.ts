import type { Rule } from './settings.ts'

/** The number of new characters after which a text is scanned again. */
const STEP = 16

/** The text that may be shown, and the rule that stops the rest. */
export interface Scan {
  readonly shown: string
  readonly stop?: Rule
}

interface Found {
  readonly rule: Rule
  readonly start: number
  /** True if the match ends at the present end of the text, so that the next character may undo it. */
  readonly isOpen: boolean
}

/**
 * Scans one text of an answer and releases the part in which no match can begin. It scans at fixed positions of the
 * text, independent of chunk borders, so the same text always gives the same result.
 */
export class TextScanner {
  readonly #rules: readonly Rule[]
  readonly #reach: number
  /**
   * The last two shown characters, then the text not shown yet. A pattern may look at the character before its match,
   * for a word border or the beginning of a line. The character before that one shows the pattern that the text does
   * not start there.
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

  /** Scans the rest of a complete text. */
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
    // A long held match is scanned again only after it has grown by half, so that the total time stays linear.
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
      // The expression for words includes the character before the word; patterns look at it without including it.
      const from = rule.group === 0 ? this.#from : before(seen, this.#from)
      if (!matcher.find(from)) return []
      const start = Math.max(matcher.start(rule.group), this.#from)
      return [{ rule, start, isOpen: matcher.end() === seen.length }]
    })
  }
}

/** Moves a position so that it does not split a surrogate pair. */
function wholeCharacters(text: string, end: number): number {
  return isFirstHalf(text, end - 1) ? end - 1 : end
}

/** The start of the character before a position. */
function before(text: string, at: number): number {
  return Math.max(0, isFirstHalf(text, at - 2) ? at - 2 : at - 1)
}

function isFirstHalf(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  return code >= 0xd800 && code <= 0xdbff
}
