/** A last line that so far only begins something: which, the next characters tell. */
const BEGUN =
  /^[ \t>]*(?:[`~]{1,2}|[-=*+_|]+|#{1,6}|\d{1,9}[.)]?|(?:[-*+]|\d{1,9}[.)])[ \t]+\[[ xX]?\]?)?$/
const DELIMITERS = /^[\s|:-]*$/
const MAX_LINE = 5000

/**
 * The end of a text that still comes, as it is shown. A last line that only begins something is left out, and the first
 * line of a table is one from its first cell on. So what is shown keeps its place.
 */
export function shown(tail: string): string {
  const lineStart = tail.lastIndexOf('\n') + 1
  const isBegun = tail.length - lineStart < MAX_LINE && BEGUN.test(tail.slice(lineStart).trimEnd())
  const settled = isBegun ? tail.slice(0, lineStart) : tail
  const blockStart = settled.trimEnd().lastIndexOf('\n\n') + 1
  return withTable(settled, blockStart > 0 ? blockStart + 1 : 0)
}

/** Completes a table of which only the first line is there. */
function withTable(text: string, start: number): string {
  if (text[start] !== '|' || text.length - start > MAX_LINE || text.endsWith('\n\n')) return text
  const [header = '', delimiters = '', ...rest] = text.slice(start).split('\n')
  if (rest.length > 0 || !DELIMITERS.test(delimiters)) return text
  const row = header.trim()
  const whole = row.length > 1 && row.endsWith('|') ? row : `${row} |`
  const columns = whole.split(/(?<!\\)\|/).length - 2
  return columns < 1 ? text : `${text.slice(0, start)}${whole}\n|${'-|'.repeat(columns)}\n`
}
