/** Characters of scripts without spaces. Each one counts as a word. */
const SIGN = String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]`
const WORD = new RegExp(String.raw`${SIGN}|(?:(?!${SIGN})[\p{L}\p{N}])+`, 'gu')
const MARKS = /\p{M}/gu
const ASCII_WORD = /[a-z0-9]+/g
const NOT_ASCII = /[^\0-\x7f]/

/** The words of a text for comparison: without case, accents and plural "s". */
export function wordsOf(text: string): string[] {
  const words = NOT_ASCII.test(text)
    ? plain(text).match(WORD)
    : text.toLowerCase().match(ASCII_WORD)
  return (words ?? []).map(singular)
}

function plain(text: string): string {
  // Remove marks first: normalization sorts the marks of a letter in quadratic time.
  const bare = text.replaceAll(MARKS, '').normalize('NFKD')
  return bare.replaceAll(MARKS, '').toLowerCase()
}

function singular(word: string): string {
  const hasPlural = word.length > 3 && word.endsWith('s') && !word.endsWith('ss')
  return hasPlural ? word.slice(0, -1) : word
}
