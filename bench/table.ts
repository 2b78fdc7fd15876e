import type { Row } from './measure.ts'

/** The side that others of its group are measured by: what no client can do without. */
const MEASURES = new Set([
  'fetch, eventsource-parser, JSON.parse',
  'fetch',
  'fetch, response.json()',
  'JSON.stringify of the messages',
  'fetch, eventsource-parser',
  'a loop in Python over a socket',
  'python3 -c pass',
  'the median request',
  'xllamacpp.Server',
  'AI SDK, toUIMessageStreamResponse',
  'braidwork, run()',
  'braidwork, run',
  'braidwork, a delegate',
])

/** Rows as a table in Markdown, each with its ratio to what its group is measured by. */
export function tableOf(rows: readonly Row[]): string {
  const groups = [...new Set(rows.map(({ group }) => group))]
  const lines = groups.flatMap((group) => {
    const all = rows.filter((row) => row.group === group)
    const measure = all.findLast(({ what }) => MEASURES.has(what))
    return all.map(({ what, value, unit }) => {
      const ratio = measure ? `${(value / measure.value).toFixed(2)} ×` : ''
      return `| ${group} | ${what} | ${shown(value)} ${unit} | ${ratio} |`
    })
  })
  return ['| of | what | median | ratio |', '| --- | --- | ---: | ---: |', ...lines].join('\n')
}

function shown(value: number): string {
  return value.toFixed(value < 1 ? 3 : value < 100 ? 1 : 0)
}
