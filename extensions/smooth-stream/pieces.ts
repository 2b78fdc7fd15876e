/** The complete pieces of a text, and the rest that may still grow. */
export interface Cut {
  readonly pieces: readonly string[]
  readonly rest: string
}

/** The maximum length of a piece in characters. A longer one, such as a data URL, is not held back. */
const MOST = { word: 128, line: 4096 } as const

/** Scripts that put no spaces between words. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u

const NOTHING: readonly string[] = []

let segmenter: Intl.Segmenter | undefined

/**
 * Cuts the held text together with new text. Only the new text is searched, so long words cost no more than short ones.
 */
export function cutText(held: string, text: string, by: 'word' | 'line'): Cut {
  const end = by === 'line' ? text.lastIndexOf('\n') + 1 : lastSpace(text) + 1
  const whole = end === 0 ? '' : held + text.slice(0, end)
  const begun = end === 0 ? held + text : text.slice(end)
  const pieces = whole === '' ? NOTHING : by === 'line' ? linesOf(whole) : wordsOf(whole)
  if (by === 'word' && UNSPACED.test(begun)) return followed(pieces, unspacedWords(begun))
  if (begun.length > MOST[by]) return { pieces: [...pieces, begun], rest: '' }
  return { pieces, rest: begun }
}

/** Holds the last word back, since it may still grow. */
function followed(pieces: readonly string[], words: readonly string[]): Cut {
  return { pieces: [...pieces, ...words.slice(0, -1)], rest: words.at(-1) ?? '' }
}

function lastSpace(text: string): number {
  for (let at = text.length - 1; at >= 0; at--) if (isSpace(text.charCodeAt(at))) return at
  return -1
}

/** Whether a character is white space: a space, tab, line end or ideographic space. */
function isSpace(code: number): boolean {
  return code === 0x20 || (code >= 0x09 && code <= 0x0d) || code === 0x3000
}

function linesOf(text: string): readonly string[] {
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => `${line}\n`)
}

/** The words of a text that ends in white space, each with the white space after it. */
function wordsOf(text: string): readonly string[] {
  const words: string[] = []
  let start = 0
  for (const { index, 0: space } of text.matchAll(/[ \t-\r\u3000]+/g)) {
    // Leading white space goes with the first word.
    if (index === 0 && space.length < text.length) continue
    words.push(text.slice(start, index + space.length))
    start = index + space.length
  }
  return UNSPACED.test(text) ? words.flatMap(unspacedWords) : words
}

/** The words of a text in a script without spaces. Punctuation stays with the word before it. */
function unspacedWords(text: string): readonly string[] {
  if (!UNSPACED.test(text)) return [text]
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'word' })
  const words: string[] = []
  for (const { segment } of segmenter.segment(text)) {
    const last = words.at(-1)
    if (last === undefined || (UNSPACED.test(segment) && /\p{L}/u.test(last))) words.push(segment)
    else words[words.length - 1] = last + segment
  }
  return words
}
