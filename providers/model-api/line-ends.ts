/**
 * Normalizes line ends to "\n" in a text that arrives in pieces. The event parser is slow on "\r": it scans the whole
 * piece once per line.
 */
export class LineEnds {
  #endsInReturn = false

  plain(piece: string): string {
    if (piece === '') return piece
    const text = this.#endsInReturn && piece.startsWith('\n') ? piece.slice(1) : piece
    this.#endsInReturn = piece.endsWith('\r')
    return text.includes('\r') ? text.replaceAll(/\r\n?/g, '\n') : text
  }
}
