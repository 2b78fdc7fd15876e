/**
 * Turns the ends of lines into "\n", in a text that comes in pieces. At a "\r" the parser of events looks through
 * all of a piece for each of its lines.
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
