/** The most characters of a piece: a browser lays out a text as a whole, and again whenever it grows. */
const PIECE = 8192

/** A long text in pieces, of whole lines where they are short enough. Pieces that are finished do not change as it grows. */
export function piecesOf(text: string): readonly string[] {
  const pieces: string[] = []
  let start = 0
  while (text.length - start > PIECE) {
    const end = endOfPiece(text, start, PIECE)
    pieces.push(text.slice(start, end))
    start = end
  }
  if (start < text.length) pieces.push(text.slice(start))
  return pieces
}

/** Where a piece of at most `most` characters ends: with a line where it can, else between words. */
export function endOfPiece(text: string, from: number, most: number): number {
  const last = from + most - 1
  for (const end of ['\n', ' ']) {
    const at = text.lastIndexOf(end, last) + 1
    if (at > from + most / 2) return at
  }
  const code = text.charCodeAt(last)
  return code >= 0xd800 && code <= 0xdbff ? last : last + 1
}
