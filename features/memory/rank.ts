import type { Fact } from './facts.ts'

/** Written without spaces: each sign counts as a word. */
const SIGN = String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]`
const WORD = new RegExp(String.raw`${SIGN}|(?:(?!${SIGN})[\p{L}\p{N}])+`, 'gu')
const MARKS = /\p{M}/gu

/** Words as they are compared: without case, accents and the "s" of plurals. */
export function wordsOf(text: string): ReadonlySet<string> {
  // Without the marks first: normalizing sorts those of a letter, in a time that grows as the square of their number.
  const bare = text.replaceAll(MARKS, '').normalize('NFKD')
  const plain = bare.replaceAll(MARKS, '').toLowerCase()
  const words = plain.match(WORD) ?? []
  return new Set(words.map((word) => (word.length > 3 ? word.replace(/(?<!s)s$/, '') : word)))
}

/**
 * The facts that share a word with a text, the best first: each word counts the more, the fewer facts have it.
 * In texts of a sentence, BM25 comes down to that. Of equals the newer is first.
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
