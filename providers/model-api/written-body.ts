import { setImmediate as nextTurn } from 'node:timers/promises'

/** Characters from which on a body is made bytes in turns of the event loop, and of which each turn makes some. */
const LONG = 512 * 1024

/** The JSON of a request's body; a long one as its bytes in UTF-8, with turns for all else while they are made. */
export async function writtenBody(body: unknown): Promise<string | Uint8Array> {
  const text = JSON.stringify(body)
  if (text.length <= LONG) return text
  const pieces: Uint8Array[] = []
  for (let at = 0, end = 0; at < text.length; at = end) {
    await nextTurn()
    end = endOfPiece(text, at)
    pieces.push(Buffer.from(text.slice(at, end)))
  }
  return Buffer.concat(pieces)
}

/** Never between the two halves of one sign. JSON has no half alone. */
function endOfPiece(text: string, from: number): number {
  const end = from + LONG
  const code = text.charCodeAt(end)
  return code >= 0xdc00 && code <= 0xdfff ? end + 1 : end
}
