/** The search index, as `search-index.js` sets it. */
export interface SearchIndex {
  readonly pages: readonly (readonly [path: string, title: string])[]
  readonly sections: readonly IndexedSection[]
}

type IndexedSection = readonly [page: number, id: string, title: string, words: string]

/** A section that was found. `id` is empty for the beginning of a page. */
export interface Hit {
  readonly path: string
  readonly id: string
  readonly title: string
  readonly page: string
}

const TITLE = 20
const PAGE = 6

/** The sections that have every word of a question, or a word that begins so; the best first. */
export function search({ pages, sections }: SearchIndex, question: string): readonly Hit[] {
  const words = wordsOf(question)
  if (words.length === 0) return []
  return sections
    .map((section) => ({ section, score: scoreOf(section, pages, words) }))
    .filter(({ score }) => score > 0)
    .sort((left, right) => right.score - left.score)
    .map(({ section: [page, id, title] }) => {
      const [path, name] = pages[page] ?? ['', '']
      return { path, id, title, page: name }
    })
}

function wordsOf(text: string): readonly string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? []
}

function scoreOf(
  [page, , title, text]: IndexedSection,
  pages: SearchIndex['pages'],
  words: readonly string[],
): number {
  const places = [
    [wordsOf(title), TITLE],
    [wordsOf(pages[page]?.[1] ?? ''), PAGE],
    [text.split(' '), 1],
  ] as const
  let score = 0
  for (const word of words) {
    const best = Math.max(...places.map(([place, weight]) => weight * match(place, word)))
    if (best === 0) return 0
    score += best
  }
  return score
}

/** A whole word counts more than the beginning of one. */
function match(words: readonly string[], word: string): number {
  if (words.includes(word)) return 2
  return words.some((one) => one.startsWith(word)) ? 1 : 0
}
