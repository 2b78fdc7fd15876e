/** A line without an end must not grow for ever. */
const LONGEST = 64_000

/** Takes a text in pieces, and gives its lines; a very long one comes in parts. */
export function linesOf(onLine: (line: string) => void): (piece: string) => void {
  let rest = ''
  return (piece) => {
    const [first = '', ...others] = piece.split('\n')
    // Only what is new is looked at: a long line may come letter by letter.
    rest += first
    for (const line of others) {
      onLine(rest)
      rest = line
    }
    if (rest.length <= LONGEST) return
    onLine(rest)
    rest = ''
  }
}
