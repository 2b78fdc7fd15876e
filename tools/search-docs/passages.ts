/** A section of a document, or a part of a long section. */
export interface Passage {
  readonly path: string
  /** The headings above it, outermost first. */
  readonly heading: string
  readonly from_line: number
  readonly to_line: number
  readonly text: string
}

/** A longer section is split at the end of a paragraph. */
const MOST_LINES = 40
const FENCE = /^ {0,3}(`{3,}|~{3,})/
const HEADING = /^ {0,3}(#{1,6})[ \t]+(\S.*)$/
const UNDERLINE = /^ {0,3}(=+|-{2,})[ \t]*$/

/** Splits a document into passages by its headings. Lines in fenced code blocks do not count as headings. */
export function passagesOf(path: string, text: string): readonly Passage[] {
  const lines = text.split(/\r?\n/)
  const headings: string[] = []
  const passages: Passage[] = []
  let start = 0
  let fence = ''

  function close(end: number): void {
    const isFilled = (line: string) => line.trim() !== ''
    const section = lines.slice(start, end)
    const first = section.findIndex(isFilled)
    const last = section.findLastIndex(isFilled)
    if (first !== -1) {
      const heading = headings.filter(Boolean).join(' > ')
      const text = section.slice(first, last + 1).join('\n')
      passages.push({
        path,
        heading,
        from_line: start + first + 1,
        to_line: start + last + 1,
        text,
      })
    }
    start = end
  }

  for (const [at, line] of lines.entries()) {
    fence = fenceAfter(line, fence)
    const found = fence === '' ? headingAt(lines, at) : undefined
    if (found) {
      close(at)
      headings.length = Math.min(headings.length, found.level - 1)
      headings[found.level - 1] = found.title
    } else if (isFull(line, at - start)) {
      close(at)
    }
  }
  close(lines.length)
  return passages
}

/** The fence of the code block that is open after a line. */
function fenceAfter(line: string, fence: string): string {
  const mark = FENCE.exec(line)?.[1] ?? ''
  if (fence === '') return mark
  return mark.startsWith(fence) ? '' : fence
}

function isFull(line: string, count: number): boolean {
  return count >= MOST_LINES && (line.trim() === '' || count >= 2 * MOST_LINES)
}

/** Removes closing marks from a heading such as "## Title ##". */
function withoutEndMarks(title: string): string {
  const whole = title.trimEnd()
  let end = whole.length
  while (whole[end - 1] === '#') end--
  const hasMarks = end < whole.length && /[ \t]/.test(whole[end - 1] ?? '')
  return (hasMarks ? whole.slice(0, end) : whole).trim()
}

function headingAt(lines: readonly string[], at: number) {
  const line = lines[at] ?? ''
  const [, marks, title = ''] = HEADING.exec(line) ?? []
  if (marks) return { level: marks.length, title: withoutEndMarks(title) }
  const underline = UNDERLINE.exec(lines[at + 1] ?? '')?.[1]
  // Below a list item, table row or quotation, the line is a horizontal rule, not the underline of a heading.
  const isTitle = /^ {0,3}[^\s#>|*+-]/.test(line) && (at === 0 || lines[at - 1]?.trim() === '')
  if (!underline || !isTitle) return undefined
  return { level: underline.startsWith('=') ? 1 : 2, title: line.trim() }
}
