/** The maximum length of a line, in case a line never ends. */
const LONGEST = 64_000

/** Splits a text that arrives in pieces into lines. A very long line is split. */
export function linesOf(onLine: (line: string) => void): (piece: string) => void {
  let rest = ''
  return (piece) => {
    const [first = '', ...others] = piece.split('\n')
    // Search only the new piece: a long line may arrive character by character.
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
