/** The start and end index of a match. */
export type Place = readonly [start: number, end: number]

const BEGIN = /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----/g
const END = /-----END [A-Z ]{0,40}PRIVATE KEY-----/g
const LONGEST_KEY = 10_000

/**
 * Finds private keys with their begin and end lines. It searches each end line once, however many begin lines precede.
 */
export function* privateKeys(text: string): Generator<Place> {
  let ending: RegExpExecArray | undefined
  let from = 0
  const endings = text.matchAll(END)
  for (const begin of text.matchAll(BEGIN)) {
    if (begin.index < from) continue
    const body = begin.index + begin[0].length
    while (ending === undefined || ending.index <= body) {
      const next = endings.next()
      if (next.done) return
      ending = next.value
    }
    if (ending.index - body > LONGEST_KEY) continue
    from = ending.index + ending[0].length
    yield [begin.index, from]
  }
}

const SEGMENT = /[A-Za-z0-9_-]+/g
const FIRST = /(?<![A-Za-z0-9])eyJ[A-Za-z0-9_-]{8}/
const SECOND = /^eyJ[A-Za-z0-9_-]{8}/
const SHORTEST_SIGNATURE = 16

/** Finds JSON web tokens: three segments joined by dots, of which the first two are encoded JSON objects. */
export function* jsonWebTokens(text: string): Generator<Place> {
  if (!text.includes('eyJ')) return
  let segments: RegExpExecArray[] = []
  for (const segment of text.matchAll(SEGMENT)) {
    const last = segments.at(-1)
    const isNext = last && endOf(last) + 1 === segment.index && text[endOf(last)] === '.'
    segments = isNext ? [...segments.slice(-2), segment] : [segment]
    const [first, second, third] = segments
    const start = first?.[0].search(FIRST) ?? -1
    if (!first || !second || !third || start < 0 || !SECOND.test(second[0])) continue
    if (third[0].length < SHORTEST_SIGNATURE) continue
    yield [first.index + start, endOf(third)]
    segments = []
  }
}

function endOf(match: RegExpExecArray): number {
  return match.index + match[0].length
}

const LONGEST_NAME = 64
const NAME = /(?:[\p{L}\p{N}_%+-][\p{L}\p{N}._%+'-]{0,63})$/u
const DOMAIN =
  /(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\.){1,8}\p{L}[\p{L}\p{N}-]{1,23}/uy

/** Finds e-mail addresses around each "@", so that text without "@" costs nothing. */
export function* mailAddresses(text: string): Generator<Place> {
  let from = 0
  for (let at = text.indexOf('@'); at >= 0; at = text.indexOf('@', at + 1)) {
    const name = NAME.exec(text.slice(Math.max(from, at - LONGEST_NAME), at))?.[0]
    if (name === undefined) continue
    DOMAIN.lastIndex = at + 1
    if (!DOMAIN.test(text)) continue
    from = DOMAIN.lastIndex
    yield [at - name.length, from]
    at = from - 1
  }
}
