/** Returns the number of tokens in a text, or an upper bound. */
export type Measure = (text: string) => number

type Encoding = 'o200k_base' | 'cl100k_base'

const RANKS = {
  o200k_base: () => import('gpt-tokenizer/bpeRanks/o200k_base'),
  cl100k_base: () => import('gpt-tokenizer/bpeRanks/cl100k_base'),
}

/** Matches models with the older encoding. All others are counted with the newer one. */
const OLDER = /(^|\/)gpt-(3\.5|4(?![.o\d]))/
const loaded = new Map<Encoding, Promise<Measure>>()

/** The best tokenizer for a model. It is loaded once. */
export function loadTokenizer(model = ''): Promise<Measure> {
  const encoding = OLDER.test(model) ? 'cl100k_base' : 'o200k_base'
  const known = loaded.get(encoding) ?? load(encoding)
  loaded.set(encoding, known)
  return known
}

/** The size of the tokenizer's cache of words, which by default holds 100,000. A word may be as long as a piece. */
const REMEMBERED_WORDS = 1000
/** Counts text that looks like a special token as ordinary text. */
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

/** The length of a piece: tokenizing takes quadratic time in a word's length, and a text may have no spaces. */
const PIECE = 512
/** The maximum number of pieces to count. In longer texts, evenly spread pieces represent the whole. */
const MOST_PIECES = 256

/** The tokens of a text, counted in bounded time for any text. */
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

/** Moves an index so that it does not split a surrogate pair. */
export function edgeAt(text: string, at: number): number {
  return isHalf(text, at - 1, 0xd800) && isHalf(text, at, 0xdc00) ? at + 1 : at
}

function isHalf(text: string, at: number, first: number): boolean {
  const code = text.charCodeAt(at)
  return code >= first && code < first + 0x400
}
