import { createFence } from './fence.ts'
import type { ThinkTags } from './settings.ts'

export type Kind = 'text' | 'reasoning'

/** Receives the pieces of a split text, in order. */
export interface Sink {
  /** Adds text to the open part, or opens a part of this kind. */
  write(kind: Kind, text: string): void
  /** Ends the open part, if there is one. */
  close(): void
}

/** The position of a tag, or of a possible beginning of a tag at the end of the text. */
interface Found {
  readonly at: number
  readonly tag?: string
}

/** Splits one text that arrives in pieces. The result does not depend on the sizes of the pieces. */
export class Splitter {
  readonly #sink: Sink
  readonly #openers: readonly string[]
  readonly #fence = createFence()
  /** The closing tags of the current reasoning; `undefined` outside reasoning. */
  #closers: readonly string[] | undefined
  /** Held text that may become a tag. */
  #held = ''
  /** Held white space; it is dropped if a tag follows. */
  #space = ''
  /** The last character of the text: a tag directly after a backtick is code. */
  #last = ''
  #isFirst = true
  /** Whether nothing was written since the beginning or the last tag. */
  #isFresh = true

  constructor({ tags, starts_open: startsOpen }: ThinkTags, sink: Sink) {
    this.#sink = sink
    this.#openers = tags.map((name) => `<${name}>`)
    this.#closers = startsOpen ? tags.map(closerOf) : undefined
  }

  add(text: string): void {
    let rest = this.#held + text
    this.#held = ''
    while (rest !== '') rest = this.#closers ? this.#reason(rest, this.#closers) : this.#speak(rest)
  }

  /** Ends the text and releases held text. */
  end(): void {
    if (this.#closers) this.#think(this.#held)
    else this.#say(this.#held)
    if (!this.#closers && this.#space !== '') this.#sink.write('text', this.#space)
    this.#sink.close()
  }

  /** Reads reasoning up to a closing tag. @returns the rest, which is text */
  #reason(rest: string, closers: readonly string[]): string {
    const { at, tag } = findTag(rest, 0, closers)
    this.#think(rest.slice(0, at))
    if (tag === undefined) return this.#hold(rest, at)
    this.#pass(undefined)
    return rest.slice(at + tag.length)
  }

  /** Reads text up to an opening tag. @returns the rest, which is reasoning */
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

  /** Continues after a tag. */
  #pass(closers: readonly string[] | undefined): void {
    this.#sink.close()
    this.#closers = closers
    this.#space = ''
    this.#last = ''
    this.#isFirst = false
    this.#isFresh = true
  }

  /** Writes text. White space is dropped after a tag, and before a tag that follows no text. */
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

  /** Writes reasoning, without white space at its start and end. */
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

/** The first tag, or a possible beginning of one; the end of the text if there is neither. */
function findTag(text: string, from: number, tags: readonly string[]): Found {
  for (let at = text.indexOf('<', from); at !== -1; at = text.indexOf('<', at + 1)) {
    const tag = tags.find((each) => text.startsWith(each, at))
    if (tag !== undefined) return { at, tag }
    const mayGrow = tags.some((each) => each.length > text.length - at)
    if (mayGrow && tags.some((each) => each.startsWith(text.slice(at)))) return { at }
  }
  return { at: text.length }
}
