import { tokensOf } from '../estimated-tokens.ts'

/** A character has at most so many bytes of UTF-8 for each of its UTF-16 units. */
const UNIT_BYTES = 3
const TOKEN_BYTES = 4

/** Lines of a text that are taken for one request, and the others. */
export interface Piece {
  readonly taken: readonly string[]
  readonly left: readonly string[]
}

/** Takes as many lines from the front as there is room for, in estimated tokens. A line that is too long is split. */
export function pieceOf(lines: readonly string[], room: number): Piece {
  let sum = 0
  for (const [at, line] of lines.entries()) {
    // A line ends with a character of its own.
    sum += tokensOf(line) + 1
    if (sum <= room) continue
    if (at > 0) return { taken: lines.slice(0, at), left: lines.slice(at) }
    const end = unitsIn(line, room)
    return { taken: [line.slice(0, end)], left: [line.slice(end), ...lines.slice(1)] }
  }
  return { taken: lines, left: [] }
}

/** So many UTF-16 units of a text have room, and no character is cut in two. */
function unitsIn(text: string, room: number): number {
  const most = Math.max(2, Math.floor(((room - 1) * TOKEN_BYTES) / UNIT_BYTES))
  return /[\uD800-\uDBFF]/.test(text.charAt(most - 1)) ? most - 1 : most
}
