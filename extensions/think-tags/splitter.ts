import { createFence } from './fence.ts'
import type { ThinkTags } from './settings.ts'

export type Kind = 'text' | 'reasoning'

/** Takes what a text is made of, in order. */
export interface Sink {
  /** Goes on with the part that is open, or opens one. */
  write(kind: Kind, text: string): void
  /** The part that is open ends here; there may be none. */
  close(): void
}

/** Where a tag stands, or what may become one at the end of the text. */
interface Found {
  readonly at: number
  readonly tag?: string
}

/** Splits one text, which comes in pieces of any size: what comes out does not depend on how it was cut. */
export class Splitter {
  readonly #sink: Sink
  readonly #openers: readonly string[]
  readonly #fence = createFence()
  /** The tags that end the reasoning; none in text. */
  #closers: readonly string[] | undefined
  /** What may become a tag. */
  #held = ''
  /** White space of which it is not known yet whether a tag follows. */
  #space = ''
  /** What text there was last: a tag right behind a backtick is code. */
  #last = ''
  #isFirst = true
  /** Whether nothing was said since the beginning or the last tag. */
  #isFresh = true

  constructor({ names, startsOpen }: ThinkTags, sink: Sink) {
    this.#sink = sink
    this.#openers = names.map((name) => `<${name}>`)
    this.#closers = startsOpen ? names.map(closerOf) : undefined
  }

  add(text: string): void {
    let rest = this.#held + text
    this.#held = ''
    while (rest !== '') rest = this.#closers ? this.#reason(rest, this.#closers) : this.#speak(rest)
  }

  /** No more text comes: lets go of what was held back. */
  end(): void {
    if (this.#closers) this.#think(this.#held)
    else this.#say(this.#held)
    if (!this.#closers && this.#space !== '') this.#sink.write('text', this.#space)
    this.#sink.close()
  }

  /** Reads up to the closing tag; what is left is text. */
  #reason(rest: string, closers: readonly string[]): string {
    const { at, tag } = findTag(rest, 0, closers)
    this.#think(rest.slice(0, at))
    if (tag === undefined) return this.#hold(rest, at)
    this.#pass(undefined)
    return rest.slice(at + tag.length)
  }

  /** Reads up to an opening tag; what is left is reasoning. */
  #speak(rest: string): string {
    for (let from = 0; ; ) {
      const { at, tag } = findTag(rest, from, this.#openers)
      this.#fence.follow(rest.slice(from, at))
      if (at < rest.length && this.#isCode(rest, at)) {
        this.#fence.follow('<')
        from = at + 1
        continue
      }
      this.#say(rest.slice(0, at))
      if (tag === undefined) return this.#hold(rest, at)
      this.#pass([closerOf(tag.slice(1, -1))])
      return rest.slice(at + tag.length)
    }
  }

  #isCode(rest: string, at: number): boolean {
    return this.#fence.isInside() || (at === 0 ? this.#last : rest[at - 1]) === '`'
  }

  #hold(rest: string, at: number): string {
    this.#held = rest.slice(at)
    return ''
  }

  /** Goes on behind a tag. */
  #pass(closers: readonly string[] | undefined): void {
    this.#sink.close()
    this.#closers = closers
    this.#space = ''
    this.#last = ''
    this.#isFirst = false
    this.#isFresh = true
  }

  /** White space is dropped behind a tag, and before one where no text came before. */
  #say(text: string): void {
    if (text === '') return
    this.#last = text.at(-1) ?? ''
    const said = this.#isFresh && !this.#isFirst ? text.trimStart() : text
    if (this.#isFresh && said.trimStart() === '') {
      this.#space += said
      return
    }
    this.#sink.write('text', this.#space + said)
    this.#space = ''
    this.#isFresh = false
  }

  /** White space is dropped at both ends. */
  #think(text: string): void {
    const begun = this.#isFresh ? text.trimStart() : text
    const whole = begun.trimEnd()
    if (whole === '') {
      if (!this.#isFresh) this.#space += begun
      return
    }
    this.#sink.write('reasoning', this.#space + whole)
    this.#space = begun.slice(whole.length)
    this.#isFresh = false
  }
}

function closerOf(name: string): string {
  return `</${name}>`
}

/** The first of the tags, or what may become one; the end of the text where there is neither. */
function findTag(text: string, from: number, tags: readonly string[]): Found {
  for (let at = text.indexOf('<', from); at !== -1; at = text.indexOf('<', at + 1)) {
    const tag = tags.find((each) => text.startsWith(each, at))
    if (tag !== undefined) return { at, tag }
    const mayGrow = tags.some((each) => each.length > text.length - at)
    if (mayGrow && tags.some((each) => each.startsWith(text.slice(at)))) return { at }
  }
  return { at: text.length }
}
