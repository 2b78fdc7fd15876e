/**
 * JSON that arrives in pieces. It is parsed once, where its outermost object or list ends: to parse it with every piece
 * would take quadratic time.
 */
export class GrowingJson {
  #text = ''
  #depth = 0
  #isInString = false
  #isEscaped = false
  #value: unknown
  #isWhole = false

  /** The value, or the text so far where it is no whole JSON. */
  get value(): unknown {
    return this.#isWhole ? this.#value : this.#text
  }

  add(piece: string): void {
    this.#text += piece
    if (this.#isWhole && piece.trim() !== '') this.#isWhole = false
    for (let at = 0; at < piece.length; at++) {
      if (this.#endsWith(piece.charAt(at))) this.#parse(piece.slice(at + 1))
    }
  }

  /** Whether the outermost object or list ends with this character. */
  #endsWith(character: string): boolean {
    if (this.#isInString) {
      if (this.#isEscaped) this.#isEscaped = false
      else if (character === '\\') this.#isEscaped = true
      else if (character === '"') this.#isInString = false
      return false
    }
    if (character === '"') this.#isInString = true
    else if (character === '{' || character === '[') this.#depth++
    else if (character === '}' || character === ']') return --this.#depth === 0
    return false
  }

  /** Only the first end can be the end of JSON, and only white space may follow it. */
  #parse(rest: string): void {
    this.#depth = Number.NaN
    if (rest.trim() !== '') return
    try {
      this.#value = JSON.parse(this.#text)
      this.#isWhole = true
    } catch {
      this.#isWhole = false
    }
  }
}
