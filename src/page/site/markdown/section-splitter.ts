import { endOfPiece } from './pieces.ts'

/** The most characters of a section, except for one that is a single block of code. */
export const SECTION = 32_768
/** The most characters of a block of code in a section of its own. To read code is cheap. */
export const MAX_CODE = 262_144
/** The longest head of a table or of code that is repeated where it is cut. */
const MAX_LEAD = 2000

/** As marked reads the first line of code. */
const FENCE = /^ {0,3}(`{3,}(?=[^`\n]*(?:\n|$))|~{3,})/
/** A line that closes code. */
const CLOSING = /^ {0,3}([`~]{3,}) *$/
const ROW = /^ {0,3}\|/
const DELIMITERS = /^ {0,3}\|[ :|-]*$/
/** A line that continues a list, a quote or an item. */
const CONTINUES = /^(?:[ \t>]|[-*+] |\d{1,9}[.)] )/

/** A part of a text, which is read as if it followed `lead`. */
export interface Span {
  readonly start: number
  readonly end: number
  /** The head of a table or of code that is cut there. */
  readonly lead: string
}

/** Where a section ends, and the lead of the next one. */
interface Cut {
  readonly end: number
  readonly lead: string
}

/**
 * Divides a text that grows into sections that are read one by one, so that the work for each is limited. Where a section
 * ends depends only on its own text: the pieces in which the text came change nothing.
 */
export class SectionSplitter {
  readonly #done: Span[] = []
  #start = 0
  #lead = ''
  /** How far the end of code was looked for. */
  #looked = 0

  /** The sections of the text, which begins with the text of the last call. The last one may grow. */
  read(text: string): readonly Span[] {
    for (;;) {
      const cut = text.length - this.#start > SECTION ? this.#cut(text) : undefined
      if (!cut) break
      this.#done.push({ start: this.#start, end: cut.end, lead: this.#lead })
      this.#start = cut.end
      this.#looked = cut.end
      this.#lead = cut.lead.length > MAX_LEAD ? '' : cut.lead
    }
    return [...this.#done, { start: this.#start, end: text.length, lead: this.#lead }]
  }

  #cut(text: string): Cut | undefined {
    const opening = this.#opening(text)
    return opening === undefined
      ? new Lines(text, this.#start, this.#lead).cut()
      : this.#cutOfCode(text, opening)
  }

  /** The first line of code with which the section begins. */
  #opening(text: string): string | undefined {
    const first = this.#lead || firstLineOf(text, this.#start)
    return FENCE.test(first) ? first : undefined
  }

  #cutOfCode(text: string, opening: string): Cut | undefined {
    const max = this.#start + MAX_CODE
    const end = endOfCode(text, fenceOf(opening), Math.max(this.#looked, this.#start))
    // Code that is short is a block among others.
    if (end && end <= this.#start + SECTION && this.#lead === '')
      return new Lines(text, this.#start, '').cut()
    if (end && end <= max) return { end, lead: '' }
    this.#looked = Math.max(this.#start, text.lastIndexOf('\n'))
    return text.length > max
      ? { end: endOfPiece(text, this.#start, MAX_CODE), lead: opening }
      : undefined
  }
}

function firstLineOf(text: string, start: number): string {
  const end = text.indexOf('\n', start) + 1
  return end > 0 && end <= start + SECTION ? text.slice(start, end) : ''
}

function fenceOf(line: string): string | undefined {
  return FENCE.exec(line)?.[1]
}

function isDelimiters(line: string): boolean {
  return line.includes('-') && DELIMITERS.test(line.trimEnd())
}

function closes(line: string, fence = ''): boolean {
  return CLOSING.exec(line)?.[1]?.startsWith(fence) ?? false
}

/** The end of the first line after `from` that closes code. */
function endOfCode(text: string, fence: string | undefined, from: number): number | undefined {
  let at = text.indexOf('\n', from) + 1
  while (at > 0) {
    const next = text.indexOf('\n', at) + 1
    if (next > 0 && closes(text.slice(at, next - 1), fence)) return next
    at = next
  }
  return undefined
}

/** The lines of a section that is to end, from which the best end is chosen. */
class Lines {
  readonly #text: string
  readonly #start: number
  #fence: { readonly start: number; readonly mark: string } | undefined
  #table = ''
  #before = '\n'
  /** Where a block begins after a blank line, where a line begins that continues none, and where any line begins. */
  #block: Cut | undefined
  #part: Cut | undefined
  #line: Cut | undefined

  constructor(text: string, start: number, lead: string) {
    this.#text = text
    this.#start = start
    this.#table = lead
  }

  cut(): Cut {
    const limit = this.#start + SECTION
    let at = this.#start
    for (;;) {
      const next = this.#text.indexOf('\n', at) + 1
      if (next === 0 || next > limit) break
      this.#take(this.#text.slice(at, next), at)
      at = next
    }
    if (this.#fence && this.#fence.start > this.#start) return { end: this.#fence.start, lead: '' }
    if (at > this.#start) this.#note(this.#text.slice(at, limit), at)
    const half = this.#start + SECTION / 2
    const found = [this.#block, this.#part, this.#line].find((cut) => cut && cut.end > half)
    return found ?? { end: endOfPiece(this.#text, this.#start, SECTION), lead: '' }
  }

  #take(line: string, at: number): void {
    if (this.#fence) {
      if (closes(line.trimEnd(), this.#fence.mark)) this.#fence = undefined
    } else {
      this.#note(line, at)
      const mark = fenceOf(line)
      if (mark !== undefined) this.#fence = { start: at, mark }
    }
    this.#before = line
  }

  #note(line: string, at: number): void {
    if (!ROW.test(line)) this.#table = ''
    else if (this.#table === '' && ROW.test(this.#before) && isDelimiters(line)) {
      this.#table = this.#before + line
      return
    }
    if (at === this.#start || line.trim() === '') return
    const cut = { end: at, lead: this.#table }
    this.#line = cut
    if (/^[^ \t]/.test(line)) this.#part = cut
    if (this.#before.trim() === '' && !CONTINUES.test(line)) this.#block = cut
  }
}
