import type { Fact } from './facts.ts'

/** Characters of scripts without spaces. Each one counts as a word. */
const SIGN = String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]`
const WORD = new RegExp(String.raw`${SIGN}|(?:(?!${SIGN})[\p{L}\p{N}])+`, 'gu')
const MARKS = /\p{M}/gu

/** The words of a text for comparison: without case, accents and plural "s". */
export function wordsOf(text: string): ReadonlySet<string> {
  // Remove marks first: normalization sorts the marks of a letter in quadratic time.
  const bare = text.replaceAll(MARKS, '').normalize('NFKD')
  const plain = bare.replaceAll(MARKS, '').toLowerCase()
  const words = plain.match(WORD) ?? []
  return new Set(words.map((word) => (word.length > 3 ? word.replace(/(?<!s)s$/, '') : word)))
}

/**
 * The facts that share a word with a text, best first. A word counts more if fewer facts contain it; for texts of one
 * sentence this equals BM25. Among equals the newer fact comes first.
 */
export function rank<T extends Fact>(facts: readonly T[], text: string): readonly T[] {
  const wanted = wordsOf(text)
  const shared = facts.map((fact) => [...wordsOf(fact.text)].filter((word) => wanted.has(word)))
  const counts = new Map<string, number>()
  for (const word of shared.flat()) counts.set(word, (counts.get(word) ?? 0) + 1)
  const weightOf = (word: string) => Math.log(1 + facts.length / (counts.get(word) ?? 1))
  return facts
    .map((fact, at) => ({
      fact,
      at,
      score: (shared[at] ?? []).reduce((sum, word) => sum + weightOf(word), 0),
    }))
    .filter(({ score }) => score > 0)
    .sort((left, right) => right.score - left.score || right.at - left.at)
    .map(({ fact }) => fact)
}
