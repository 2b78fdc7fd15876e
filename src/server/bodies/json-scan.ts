const QUOTE = 0x22
const COMMA = 0x2c
const COLON = 0x3a
const BACKSLASH = 0x5c
const OPENING = new Set([0x5b, 0x7b])
const CLOSING = new Set([0x5d, 0x7d])

/** After this many bytes of a string, its end is searched with `indexOf` instead of byte by byte. */
const LONG_TEXT = 32

/** The number of characters of a separate text that are encoded at once. */
const PIECE = 16 * 1024

/** The number of members in one object that count as one value each. */
const FEW_MEMBERS = 1000
/**
 * How many values each further member counts as, because one object with very many members takes far longer to
 * parse than many small objects.
 */
const OF_MANY = 10

/**
 * Counts values and depth of JSON text while its bytes arrive. Parsing blocks the event loop for a time that
 * depends on these counts, not on the number of bytes alone.
 */
export class JsonScan {
  #values = 0
  #depth = 0
  /** The number of members in the innermost open object or array at each depth. */
  readonly #members: number[] = [0]
  #deepest = 0
  #isInText = false
  /** Whether the previous byte was a backslash that escapes the next one. */
  #isEscaped = false

  /** The approximate number of values and keys so far, added together. */
  get values(): number {
    return this.#values
  }

  /** The greatest depth of nested arrays and objects so far. */
  get deepest(): number {
    return this.#deepest
  }

  add(bytes: Uint8Array): void {
    let at = 0
    while (at < bytes.length)
      at = this.#isInText ? this.#text(bytes, at) : this.#structure(bytes, at)
  }

  /** Adds a separate JSON text, independent of the state in which the previous one ended. */
  addWhole(text: string): void {
    this.#isInText = false
    this.#isEscaped = false
    this.#depth = 0
    this.#members[0] = 0
    // A surrogate pair cut in two still becomes string content on both sides.
    for (let at = 0; at < text.length; at += PIECE) {
      this.add(Buffer.from(text.slice(at, at + PIECE)))
    }
  }

  /** Skips to the end of a string, or of the bytes. @returns the index at which to continue */
  #text(bytes: Uint8Array, from: number): number {
    const near = Math.min(bytes.length, from + LONG_TEXT)
    for (let at = from; at < near; at++) {
      if (this.#endsText(bytes[at])) return at + 1
    }
    return near === bytes.length ? near : this.#longText(bytes, near)
  }

  #endsText(byte: number | undefined): boolean {
    if (this.#isEscaped) this.#isEscaped = false
    else if (byte === BACKSLASH) this.#isEscaped = true
    else if (byte === QUOTE) this.#isInText = false
    return !this.#isInText
  }

  #longText(bytes: Uint8Array, from: number): number {
    const begun = this.#isEscaped ? from + 1 : from
    this.#isEscaped = false
    for (let end = bytes.indexOf(QUOTE, begun); end !== -1; end = bytes.indexOf(QUOTE, end + 1)) {
      if (backslashesBefore(bytes, end, begun) % 2 === 1) continue
      this.#isInText = false
      return end + 1
    }
    this.#isEscaped = backslashesBefore(bytes, bytes.length, begun) % 2 === 1
    return bytes.length
  }

  /** Skips to the next string, or to the end of the bytes. */
  #structure(bytes: Uint8Array, from: number): number {
    for (let at = from; at < bytes.length; at++) {
      const byte = bytes[at] ?? 0
      if (byte === QUOTE) {
        this.#isInText = true
        return at + 1
      }
      if (byte === COMMA) this.#values++
      else if (byte === COLON) this.#member()
      else if (OPENING.has(byte)) this.#open()
      else if (CLOSING.has(byte)) this.#depth--
    }
    return bytes.length
  }

  #member(): void {
    const members = (this.#members[this.#depth] ?? 0) + 1
    this.#members[this.#depth] = members
    this.#values += members > FEW_MEMBERS ? OF_MANY : 1
  }

  #open(): void {
    this.#values++
    this.#depth++
    this.#members[this.#depth] = 0
    if (this.#depth > this.#deepest) this.#deepest = this.#depth
  }
}

function backslashesBefore(bytes: Uint8Array, end: number, from: number): number {
  let start = end
  while (start > from && bytes[start - 1] === BACKSLASH) start--
  return end - start
}
