/** The number of characters that are collected before they are joined. */
const BLOCK = 4096

/** Builds a text from many pieces. `+=` would keep every piece alive and use several times the memory of the text. */
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
