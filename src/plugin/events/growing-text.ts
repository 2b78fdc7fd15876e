/** Characters that are joined at a time. */
const BLOCK = 4096

/** A text out of many pieces. What `+=` makes of them keeps each alive beside the text, several times its size. */
export class GrowingText {
  #text = ''
  #pieces: string[] = []
  #waiting = 0

  get length(): number {
    return this.#text.length + this.#waiting
  }

  add(piece: string): void {
    this.#pieces.push(piece)
    this.#waiting += piece.length
    if (this.#waiting >= BLOCK) this.#join()
  }

  toString(): string {
    this.#join()
    return this.#text
  }

  #join(): void {
    this.#text += this.#pieces.join('')
    this.#pieces = []
    this.#waiting = 0
  }
}
