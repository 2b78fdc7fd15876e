/** The first byte of a byte order mark. */
const MARK = 0xef

/** Decodes pieces that contain only whole characters. It is much faster than a decoder that keeps the rest of a piece. */
const WHOLE = new TextDecoder('utf-8', { ignoreBOM: true })

/**
 * Decodes UTF-8 that arrives in pieces, with "\n" for each line end. Invalid bytes become U+FFFD. The event parser is
 * slow on "\r": it scans the whole piece once per line.
 */
export class TextPieces {
  /** Made for the first piece that needs it, as most answers have none. */
  #decoder: InstanceType<typeof TextDecoder> | undefined
  #isFirst = true
  /** Whether the next piece may begin inside a character. */
  #isInside = false
  #endsInReturn = false

  next(bytes: Uint8Array): string {
    const piece = this.#decode(bytes)
    if (piece === '') return piece
    const text = this.#endsInReturn && piece.startsWith('\n') ? piece.slice(1) : piece
    this.#endsInReturn = piece.endsWith('\r')
    return text.includes('\r') ? text.replaceAll(/\r\n?/g, '\n') : text
  }

  #decode(bytes: Uint8Array): string {
    const wasInside = this.#isInside || (this.#isFirst && bytes[0] === MARK)
    // A character ends at the latest with an ASCII byte.
    this.#isInside = (bytes.at(-1) ?? 128) > 127
    if (!wasInside && !this.#isInside) {
      this.#isFirst = false
      return WHOLE.decode(bytes)
    }
    // Only at the beginning of a body is a byte order mark no text.
    this.#decoder ??= new TextDecoder('utf-8', { ignoreBOM: !this.#isFirst })
    this.#isFirst = false
    return this.#decoder.decode(bytes, { stream: true })
  }
}
