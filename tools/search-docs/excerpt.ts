import { wordsOf } from './words.ts'

const MOST = 600

/** The part of a passage around the line that contains the most query words. */
export function excerptOf(text: string, query: string): string {
  if (text.length <= MOST) return text
  const wanted = new Set(wordsOf(query))
  const lines = text.split('\n')
  const counts = lines.map((line) => new Set(wordsOf(line).filter((word) => wanted.has(word))).size)
  const best = counts.indexOf(Math.max(...counts))
  const before = lines.slice(0, Math.max(0, best - 1)).join('\n').length
  const cut = text.slice(before, before + MOST).trim()
  return `${before > 0 ? '… ' : ''}${cut}${before + MOST < text.length ? ' …' : ''}`
}
