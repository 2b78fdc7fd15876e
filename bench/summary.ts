import type { Row } from './measure.ts'

/** Sides of the summary, each under the names that it has in the groups. */
const SIDES: readonly (readonly [label: string, names: RegExp])[] = [
  ['bare `fetch`, eventsource-parser, `JSON.parse`', /^fetch/],
  ['Braidwork, 3 extensions', /^braidwork, (3 extensions|send)(?!.*idle)/],
  ['Braidwork, 10 extensions', /^braidwork, 10 extensions/],
  ['openai, @anthropic-ai/sdk', /^(openai|@anthropic-ai\/sdk)/],
  ['AI SDK', /^AI SDK, (fullStream|generateText|textStream)/],
  ['LangChain', /LangChain/],
  ['pi-ai', /pi-ai/],
  ['TanStack AI', /TanStack AI/],
]

/** Columns of the summary, and the group that each shows. */
const COLUMNS: readonly (readonly [label: string, group: string])[] = [
  ['chat', 'stream, chat'],
  ['responses', 'stream, responses'],
  ['messages', 'stream, messages'],
  ['request of 20 chunks', 'stream of 20 chunks, CPU'],
  ['first chunk', 'first chunk'],
  ['`send`', 'send'],
  ['first token of a process', 'first token'],
  ['p99 of 100 streams', '100 paced streams, delay, p99'],
  ['p99 of 1,000 streams', '1000 paced streams, delay, p99'],
]

/** A line a side, a column a measure, in Markdown: what was measured, and its ratio to the bare side. */
export function summaryOf(rows: readonly Row[]): string {
  const columns = COLUMNS.filter(([, group]) => rows.some((row) => row.group === group))
  // Some suites have no part in it.
  if (columns.length === 0) return ''
  const lines = SIDES.map(([side, names]) => [
    side,
    ...columns.map(([, group]) => cellOf(rows, group, names)),
  ])
  const head = ['', ...columns.map(([label, group]) => `${label}, ${unitOf(rows, group)}`)]
  const rule = head.map((_, at) => (at === 0 ? '---' : '---:'))
  return [head, rule, ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

function cellOf(rows: readonly Row[], group: string, names: RegExp): string {
  const found = sideIn(rows, group, names)
  if (!found) return ''
  const bare = sideIn(rows, group, SIDES[0]?.[1] ?? /^$/)
  const isBare = bare === found
  const ratio = bare && !isBare ? ` (${(found.value / bare.value).toFixed(1)} ×)` : ''
  return `${found.value.toFixed(found.value < 100 ? 1 : 0)}${ratio}`
}

/** The last of the name: of the bare sides of a stream, the one that parses. */
function sideIn(rows: readonly Row[], group: string, names: RegExp): Row | undefined {
  return rows.findLast((row) => row.group === group && names.test(row.what))
}

function unitOf(rows: readonly Row[], group: string): string {
  return rows.find((row) => row.group === group)?.unit ?? ''
}
