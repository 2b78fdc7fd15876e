/** Decodes pieces that contain only whole characters. It is much faster than a decoder that keeps the rest of a piece. */
const WHOLE = new TextDecoder('utf-8', { ignoreBOM: true })

/**
 * Decodes UTF-8 that arrives in pieces, with "\n" for each line end. Invalid bytes become U+FFFD. The event parser is
 * slow on "\r": it scans the whole piece once per line.
 */
export class TextPieces {
  readonly #decoder = new TextDecoder()
  /** Whether the next piece may begin inside a character, or with a byte order mark. */
  #isInside = true
  #endsInReturn = false

  next(bytes: Uint8Array): string {
    const piece = this.#decode(bytes)
    if (piece === '') return piece
    const text = this.#endsInReturn && piece.startsWith('\n') ? piece.slice(1) : piece
    this.#endsInReturn = piece.endsWith('\r')
    return text.includes('\r') ? text.replaceAll(/\r\n?/g, '\n') : text
  }

  #decode(bytes: Uint8Array): string {
    const wasInside = this.#isInside
    // A character ends at the latest with an ASCII byte.
    this.#isInside = (bytes.at(-1) ?? 128) > 127
    const isWhole = !(wasInside || this.#isInside)
    return isWhole ? WHOLE.decode(bytes) : this.#decoder.decode(bytes, { stream: true })
  }
}
