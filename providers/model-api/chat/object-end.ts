const SPACE = new Set([' ', '\t', '\n', '\r'])

/**
 * Finds the end of a JSON object in a text that arrives in pieces. It only counts brackets: a parser must still
 * decide whether the text is valid JSON.
 */
export class ObjectEnd {
  #place: 'before' | 'inside' | 'behind' | 'lost' = 'before'
  #depth = 0
  #isInText = false
  #isEscaped = false

  /** Whether the text is one closed object and nothing else. */
  get isReached(): boolean {
    return this.#place === 'behind'
  }

  add(piece: string): void {
    for (let at = 0; at < piece.length && this.#place !== 'lost'; at++) this.#take(piece[at] ?? '')
  }

  #take(sign: string): void {
    if (this.#isInText) this.#takeInText(sign)
    else if (this.#place === 'inside') this.#takeInside(sign)
    else if (this.#place === 'before' && sign === '{') this.#open()
    else if (!SPACE.has(sign)) this.#place = 'lost'
  }

  #open(): void {
    this.#place = 'inside'
    this.#depth++
  }

  #takeInside(sign: string): void {
    if (sign === '"') this.#isInText = true
    else if (sign === '{' || sign === '[') this.#depth++
    else if (sign === '}' || sign === ']') this.#depth--
    if (this.#depth === 0) this.#place = 'behind'
  }

  #takeInText(sign: string): void {
    if (this.#isEscaped) this.#isEscaped = false
    else if (sign === '\\') this.#isEscaped = true
    else if (sign === '"') this.#isInText = false
  }
}
