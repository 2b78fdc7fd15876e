/** The summary table of the README as a chart: a panel for each column, a bar for each client. */

export const CHART_PATH = new URL('../docs/cost.svg', import.meta.url)

interface Summary {
  readonly measures: readonly string[]
  readonly clients: readonly Client[]
}

interface Client {
  readonly name: string
  /** A number for each measure, as the table writes it; empty where the client was not measured. */
  readonly values: readonly string[]
}

const PANELS_PER_ROW = 3
const LABELS_WIDTH = 200
const PANEL_WIDTH = 180
const BAR_WIDTH = 110
const BAR_STEP = 20
const TITLE_HEIGHT = 30
const MARGIN = 16

/** Reads the summary table, the only table of the README with this first row. */
export function summaryIn(readme: string): Summary {
  const lines = readme.split('\n')
  const first = lines.findIndex((line) => line.startsWith('|  | '))
  if (first < 0) throw new Error('The README has no summary table')
  const end = lines.findIndex((line, at) => at > first && !line.startsWith('|'))
  const [head = [], , ...rows] = lines.slice(first, end).map(cellsOf)
  const clients = rows.map(([name = '', ...cells]) => ({ name, values: cells.map(numberIn) }))
  return { measures: head.slice(1), clients }
}

function cellsOf(line: string): string[] {
  return line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.replaceAll('`', '').trim())
}

/** The number before the ratio: 4.8 of "4.8 (1.5 ×)". */
function numberIn(cell: string): string {
  return cell.split(' ')[0] ?? ''
}

/** The chart as SVG, on a white ground so that it reads in light and dark themes. */
export function chartOf({ measures, clients }: Summary): string {
  const panelHeight = TITLE_HEIGHT + clients.length * BAR_STEP + MARGIN
  const rows = Math.ceil(measures.length / PANELS_PER_ROW)
  const width = LABELS_WIDTH + PANELS_PER_ROW * PANEL_WIDTH + MARGIN
  const height = rows * panelHeight + 2 * MARGIN
  const panels = measures.flatMap((measure, at) => {
    const top = MARGIN + Math.floor(at / PANELS_PER_ROW) * panelHeight
    const left = LABELS_WIDTH + (at % PANELS_PER_ROW) * PANEL_WIDTH
    const names = at % PANELS_PER_ROW === 0 ? namesOf(clients, top) : []
    const title = `<text x="${left}" y="${top + 12}">${escaped(measure)}</text>`
    return [...names, title, ...barsOf(clients, at, left, top)]
  })
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img">`,
    '<title>Cost of Braidwork and of its peers; shorter bars are better</title>',
    '<style>text { font: 12px sans-serif; fill: #24292f } .own { font-weight: bold }</style>',
    `<rect width="${width}" height="${height}" rx="6" fill="#fff"/>`,
    ...panels,
    '</svg>',
    '',
  ].join('\n')
}

function namesOf(clients: readonly Client[], top: number): string[] {
  return clients.map(({ name }, row) => {
    const own = isOwn(name) ? ' class="own"' : ''
    const label = escaped(name.replace(/^(bare fetch),.*/, '$1, JSON.parse'))
    return `<text x="${LABELS_WIDTH - 10}" y="${baseline(top, row)}" text-anchor="end"${own}>${label}</text>`
  })
}

/** The bars of one measure, each as long as its share of the largest value, with its value behind it. */
function barsOf(clients: readonly Client[], measure: number, left: number, top: number): string[] {
  const largest = Math.max(...clients.map(({ values }) => Number(values[measure])))
  return clients.flatMap(({ name, values }, row) => {
    const value = values[measure]
    if (!value) return []
    const length = Math.max(1, Math.round((Number(value) / largest) * BAR_WIDTH))
    const base = baseline(top, row)
    const color = isOwn(name) ? '#0969da' : '#b6bcc4'
    return [
      `<rect x="${left}" y="${base - 11}" width="${length}" height="14" fill="${color}"/>`,
      `<text x="${left + length + 5}" y="${base}">${value}</text>`,
    ]
  })
}

function isOwn(name: string): boolean {
  return name.startsWith('Braidwork')
}

/** Where the text of a row of bars stands. */
function baseline(top: number, row: number): number {
  return top + TITLE_HEIGHT + row * BAR_STEP + 6
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}
