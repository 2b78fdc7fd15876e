import type { Block } from './nodes.ts'
import { cleaned } from './text.ts'

/** The most characters of a piece: a browser lays out a text as a whole, and again whenever it grows. */
const PIECE = 8192

/** Gives the part of a long text that is not read as Markdown, in pieces. Finished pieces stay the same objects. */
export class PlainRest {
  #text = ''
  #done: Block[] = []
  /** Where the finished pieces end. */
  #end = 0
  #pieces: readonly Block[] = []

  read(text: string): readonly Block[] {
    if (text === this.#text) return this.#pieces
    if (!text.startsWith(this.#text)) this.#restart()
    this.#text = text
    while (text.length - this.#end > PIECE)
      this.#done.push(this.#piece(endOfPiece(text, this.#end)))
    const { length } = text
    this.#pieces = this.#end === length ? [...this.#done] : [...this.#done, this.#last(length)]
    return this.#pieces
  }

  #piece(end: number): Block {
    const piece = this.#last(end)
    this.#end = end
    return piece
  }

  #last(end: number): Block {
    const before = this.#text.slice(Math.max(0, this.#end - 1), this.#end)
    return { kind: 'piece', text: cleaned(this.#text.slice(this.#end, end), before) }
  }

  #restart(): void {
    this.#done = []
    this.#end = 0
  }
}

/** A piece ends with a line where it can, else between words: the next one begins on a line of its own. */
function endOfPiece(text: string, from: number): number {
  const last = from + PIECE - 1
  for (const end of ['\n', ' ']) {
    const at = text.lastIndexOf(end, last) + 1
    if (at > from + PIECE / 2) return at
  }
  const code = text.charCodeAt(last)
  return code >= 0xd800 && code <= 0xdbff ? last : last + 1
}
