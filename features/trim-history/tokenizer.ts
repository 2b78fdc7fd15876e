/** How many tokens a text comes to, or at most comes to. */
export type Measure = (text: string) => number

type Encoding = 'o200k_base' | 'cl100k_base'

const RANKS = {
  o200k_base: () => import('gpt-tokenizer/bpeRanks/o200k_base'),
  cl100k_base: () => import('gpt-tokenizer/bpeRanks/cl100k_base'),
}

/** Models of the older encoding; all others are counted in the newer one. */
const OLDER = /(^|\/)gpt-(3\.5|4(?![.o\d]))/
const loaded = new Map<Encoding, Promise<Measure>>()

/** The tokenizer that fits a model best, loaded once. */
export function loadTokenizer(model = ''): Promise<Measure> {
  const encoding = OLDER.test(model) ? 'cl100k_base' : 'o200k_base'
  const known = loaded.get(encoding) ?? load(encoding)
  loaded.set(encoding, known)
  return known
}

/** The tokenizer keeps what long words came to, for words up to a piece long; by default 100,000 of them. */
const REMEMBERED_WORDS = 1000
/** What looks like a special token is text like any other. */
const AS_TEXT = { disallowedSpecial: new Set<string>() }

async function load(encoding: Encoding): Promise<Measure> {
  const [{ GptEncoding }, { default: ranks }] = await Promise.all([
    import('gpt-tokenizer/GptEncoding'),
    RANKS[encoding](),
  ])
  const tokenizer = GptEncoding.getEncodingApi(encoding, () => ranks)
  tokenizer.setMergeCacheSize(REMEMBERED_WORDS)
  return (text) => countInPieces(text, (piece) => tokenizer.countTokens(piece, AS_TEXT))
}

/** Merging takes the square of a word's length, and a text without spaces is one word. */
const PIECE = 512
/** Of longer texts, pieces from all over them stand for the rest. */
const MOST_PIECES = 256

/** A text's tokens, in a time that is bounded whatever is in it. */
export function countInPieces(text: string, count: Measure): number {
  const step = Math.max(PIECE, Math.ceil(text.length / MOST_PIECES))
  let looked = 0
  let tokens = 0
  for (let from = 0; from < text.length; from += step) {
    const piece = text.slice(edgeAt(text, from), edgeAt(text, from + PIECE))
    looked += piece.length
    tokens += count(piece)
  }
  return step > PIECE ? Math.ceil((tokens / looked) * text.length) : tokens
}

/** A place at which a text may be cut: not within a sign of two halves. */
export function edgeAt(text: string, at: number): number {
  return isHalf(text, at - 1, 0xd800) && isHalf(text, at, 0xdc00) ? at + 1 : at
}

function isHalf(text: string, at: number, first: number): boolean {
  const code = text.charCodeAt(at)
  return code >= first && code < first + 0x400
}
