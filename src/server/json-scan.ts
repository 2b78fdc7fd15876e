const QUOTE = 0x22
const COMMA = 0x2c
const COLON = 0x3a
const BACKSLASH = 0x5c
const OPENING = new Set([0x5b, 0x7b])
const CLOSING = new Set([0x5d, 0x7d])

/** Bytes of a text after which its end is searched for, and not looked for byte by byte. */
const LONG_TEXT = 32

/** Characters of a text of its own that are made bytes at once. */
const PIECE = 16 * 1024

/** Members of one object that count as one each. */
const FEW_MEMBERS = 1000
/** As how many each further member counts: an object of very many takes far longer than many of some. */
const OF_MANY = 10

/**
 * How much a text of JSON holds, found out while its bytes arrive: reading it as JSON takes one long stretch,
 * whose length depends on that, and not on the bytes alone.
 */
export class JsonScan {
  #values = 0
  #depth = 0
  /** How many members the open objects have so far, by their depth. */
  readonly #members: number[] = [0]
  #deepest = 0
  #isInText = false
  /** Whether the byte before was a backslash that escapes the next. */
  #isEscaped = false

  /** About how many values and keys there were so far, one in another. */
  get values(): number {
    return this.#values
  }

  /** How many lists and objects there were within each other. */
  get deepest(): number {
    return this.#deepest
  }

  add(bytes: Uint8Array): void {
    let at = 0
    while (at < bytes.length)
      at = this.#isInText ? this.#text(bytes, at) : this.#structure(bytes, at)
  }

  /** A text of its own, whatever the one before ended in. */
  addWhole(text: string): void {
    this.#isInText = false
    this.#isEscaped = false
    this.#depth = 0
    this.#members[0] = 0
    // A sign that is cut in two is text on both sides.
    for (let at = 0; at < text.length; at += PIECE) {
      this.add(Buffer.from(text.slice(at, at + PIECE)))
    }
  }

  /** Goes on to the end of a text, or of the bytes. @returns where to go on */
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

  /** Goes on to the next text, or to the end of the bytes. */
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
