import type { Section } from './markdown.ts'

interface Page {
  readonly path: string
  readonly title: string
  readonly sections: readonly Section[]
}

/** The most characters of a section that the search sees. */
const MOST = 1500

/**
 * The search index as a script, so that it loads from a file system too. A row is a section: the number of its page,
 * its id, its title and its words, each once and in lower case.
 */
export function searchIndex(pages: readonly Page[]): string {
  const names = pages.map(({ path, title }) => [path, title])
  const rows = pages.flatMap(({ sections }, page) =>
    sections.map(({ id, title, text }) => [page, id, title, wordsOf(text)]),
  )
  return `globalThis.searchIndex=${JSON.stringify({ pages: names, sections: rows })}\n`
}

function wordsOf(text: string): string {
  const words =
    text
      .slice(0, MOST)
      .toLowerCase()
      .match(/[\p{L}\p{N}_]{2,40}/gu) ?? []
  return [...new Set(words)].join(' ')
}
