import { ownTurn } from '../pace.ts'
import { boundaryBefore, textIn } from './preview.ts'

/** The bytes that are searched in one turn of the event loop. */
const WINDOW = 64 * 1024
/** The characters around a place. */
const AROUND = 80
const MOST_PLACES = 20
/** The most bytes of a UTF-16 code unit in UTF-8. */
const MOST_BYTES = 3

export interface TextSearch {
  /** What to look for: plain text, without regard to case. */
  readonly search: string
  readonly offset: number
  /** The most bytes of the answer, beside its first line. */
  readonly most: number
  readonly signal: AbortSignal
}

/** A place at which the text was found, with its line in the answer. */
interface Place {
  readonly offset: number
  readonly line: string
}

/** Lists the places of a text in UTF-8 at which another text occurs, each with its offset in bytes and its context. */
export async function searchText(bytes: Uint8Array, asked: TextSearch): Promise<string> {
  const lines: string[] = []
  let room = asked.most
  for await (const { offset, line } of places(bytes, asked)) {
    const short = Buffer.byteLength(line) < room || lines.length > 0 ? line : `At offset ${offset}`
    room -= Buffer.byteLength(short) + 1
    if (lines.length === MOST_PLACES || room < 0) {
      return answer(lines, `There are more from offset ${offset} on.`)
    }
    lines.push(short)
  }
  return answer(lines, `The text was searched to its end, ${bytes.byteLength} bytes.`)
}

function answer(lines: readonly string[], rest: string): string {
  const found = lines.length === 1 ? '1 place' : `${lines.length || 'No'} places`
  return [`[${found}. ${rest}]`, ...lines].join('\n')
}

async function* places(
  bytes: Uint8Array,
  { search, offset, signal }: TextSearch,
): AsyncGenerator<Place> {
  const wanted = folded(search)
  const beyond = (search.length + AROUND) * MOST_BYTES
  const size = bytes.byteLength
  for (let from = boundaryBefore(bytes, offset); from < size; ) {
    await ownTurn()
    signal.throwIfAborted()
    const to = boundaryBefore(bytes, Math.min(size, from + WINDOW))
    const own = textIn(bytes, from, to)
    const begin = boundaryBefore(bytes, Math.max(0, from - AROUND * MOST_BYTES))
    const before = textIn(bytes, begin, from)
    const text = before + own + textIn(bytes, to, boundaryBefore(bytes, to + beyond))
    const lower = folded(text)
    const end = before.length + own.length
    let at = lower.indexOf(wanted, before.length)
    for (; at !== -1 && at < end; at = lower.indexOf(wanted, at + wanted.length)) {
      const place = from + Buffer.byteLength(text.slice(before.length, at))
      yield { offset: place, line: `At offset ${place}: ${contextOf(text, at, search.length)}` }
    }
    from = to
  }
}

/** The text around a place, as a JSON string, so that it stays in one line. */
function contextOf(text: string, at: number, length: number): string {
  const around = text.slice(Math.max(0, at - AROUND), at + length + AROUND)
  // Half of a character at either end.
  return JSON.stringify(around.replaceAll(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, ''))
}

/** A text in lower case, with the same number of code units, so that places stay the same. */
function folded(text: string): string {
  const lower = text.toLowerCase()
  if (lower.length === text.length) return lower
  return Array.from(text, (one) => {
    const own = one.toLowerCase()
    return own.length === one.length ? own : one
  }).join('')
}
