/**
 * Finds the first stop sequence in a text that arrives in pieces: the one that is complete first, and of several the
 * longest. It holds back only what may begin one. Each character is looked at once for each sequence.
 */
export class StopScanner {
  readonly #stops: readonly Pattern[]
  /** What is held back. It is the beginning of a sequence, so it is taken from there and never put together. */
  #held = ''
  #found: string | undefined

  constructor(stops: readonly string[]) {
    this.#stops = stops.map((stop) => new Pattern(stop))
  }

  /** The stop sequence with which the text has ended. */
  get found(): string | undefined {
    return this.#found
  }

  /** Adds a piece. @returns what of the text is certain now: all before a stop sequence, or before one that may begin */
  add(piece: string): string {
    if (this.#found !== undefined) return ''
    const known = this.#held
    for (let at = 0; at < piece.length; at++) {
      const found = this.#longestAt(piece.charCodeAt(at))
      if (found === '') continue
      this.#found = found
      this.#held = ''
      return beginning(known, piece, known.length + at + 1 - found.length)
    }
    this.#held = this.#possible()
    return beginning(known, piece, known.length + piece.length - this.#held.length)
  }

  /** Ends the text. @returns what was held back */
  rest(): string {
    const held = this.#held
    this.#held = ''
    return held
  }

  /** The longest end of the text that may begin a sequence. */
  #possible(): string {
    let longest = ''
    for (const { matched } of this.#stops) if (matched.length > longest.length) longest = matched
    return longest
  }

  /** The longest sequence that a character completes. */
  #longestAt(code: number): string {
    let longest = ''
    for (const stop of this.#stops) {
      if (stop.completes(code) && stop.text.length > longest.length) longest = stop.text
    }
    return longest
  }
}

/** The first characters of two texts behind each other. */
function beginning(first: string, second: string, length: number): string {
  if (length <= first.length) return first.slice(0, length)
  return first + second.slice(0, length - first.length)
}

/** A sequence, with the number of its characters that the text ends with (by Knuth, Morris and Pratt). */
class Pattern {
  readonly text: string
  /** For each length of a beginning, the length of the longest shorter beginning that it ends with. */
  readonly #shorter: readonly number[]
  #matched = 0

  constructor(text: string) {
    this.text = text
    const shorter = [0, 0]
    for (let at = 1, matched = 0; at < text.length; at++) {
      while (matched > 0 && text[at] !== text[matched]) matched = shorter[matched] ?? 0
      if (text[at] === text[matched]) matched++
      shorter.push(matched)
    }
    this.#shorter = shorter
  }

  /** The beginning of the sequence with which the text ends. */
  get matched(): string {
    return this.text.slice(0, this.#matched)
  }

  completes(code: number): boolean {
    const text = this.text
    while (this.#matched > 0 && text.charCodeAt(this.#matched) !== code) {
      this.#matched = this.#shorter[this.#matched] ?? 0
    }
    if (text.charCodeAt(this.#matched) === code) this.#matched++
    return this.#matched === text.length
  }
}
