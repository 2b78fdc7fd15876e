import { escaped } from './html.ts'

interface Node {
  readonly id: string
  readonly label: string
  readonly isTag: boolean
}

interface Edge {
  readonly from: string
  readonly to: string
  readonly isForbidden: boolean
}

const ROW = 34
const COLUMN = 230
const WIDTH = 170
const HEIGHT = 26

/** Draws a flowchart of Mermaid as SVG. It knows the form that the page of tags uses: `a --> b([label])`, `a --x b`. */
export function drawingOf(source: string): string {
  const nodes = new Map<string, Node>()
  const edges = source.split('\n').flatMap((line) => edgeOf(line, nodes))
  const columns = columnsOf([...nodes.values()], edges)
  const places = new Map(
    columns.flatMap((column, x) => column.map((node, y) => [node.id, { x, y, node }] as const)),
  )
  const height = Math.max(...columns.map(({ length }) => length)) * ROW + 8
  const lines = edges.map(({ from, to, isForbidden }) => {
    const [start, end] = [places.get(from), places.get(to)]
    if (!start || !end) return ''
    const [x1, y1] = [start.x * COLUMN + WIDTH + 4, middle(start.y)]
    const [x2, y2] = [end.x * COLUMN + 4, middle(end.y)]
    const bend = (x1 + x2) / 2
    const look = isForbidden ? ' class="forbidden"' : ''
    return `<path${look} d="M${x1} ${y1}C${bend} ${y1} ${bend} ${y2} ${x2} ${y2}"/>`
  })
  const boxes = [...places.values()].map(({ x, y, node }) => boxOf(node, x, y))
  const size = `viewBox="0 0 ${columns.length * COLUMN - COLUMN + WIDTH + 8} ${height}"`
  return `<figure class="drawing"><svg ${size} role="img" aria-label="Plugins and the tags between them">${lines.join('')}${boxes.join('')}</svg></figure>\n`
}

const middle = (row: number) => row * ROW + 4 + HEIGHT / 2

function boxOf({ label, isTag }: Node, x: number, y: number): string {
  const [left, top] = [x * COLUMN + 4, y * ROW + 4]
  const round = isTag ? HEIGHT / 2 : 4
  const rect = `<rect x="${left}" y="${top}" width="${WIDTH}" height="${HEIGHT}" rx="${round}"/>`
  const text = `<text x="${left + WIDTH / 2}" y="${top + 17}">${escaped(label)}</text>`
  return `<g${isTag ? ' class="tag"' : ''}>${rect}${text}</g>`
}

function edgeOf(line: string, nodes: Map<string, Node>): readonly Edge[] {
  const [left, arrow, right] = line.trim().split(' ')
  if ((arrow !== '-->' && arrow !== '--x') || !left || !right) return []
  const [from, to] = [left, right].map((text) => add(text, nodes))
  return from && to ? [{ from, to, isForbidden: arrow === '--x' }] : []
}

/** Adds a node, whose label may be known from an earlier line, and returns its id. */
function add(text: string, nodes: Map<string, Node>): string {
  const [id = '', label] = text.replace('])', '').split('([')
  const isTag = id.startsWith('tag-')
  if (label || !nodes.has(id)) nodes.set(id, { id, label: label ?? id, isTag })
  return id
}

/** The nodes in columns: each stands behind all from which an edge leads to it. */
function columnsOf(nodes: readonly Node[], edges: readonly Edge[]): readonly (readonly Node[])[] {
  const depths = new Map(nodes.map(({ id }) => [id, 0]))
  for (let round = 0; round < nodes.length; round++) {
    for (const { from, to } of edges) {
      depths.set(to, Math.max(depths.get(to) ?? 0, (depths.get(from) ?? 0) + 1))
    }
    if (edges.every(({ from, to }) => (depths.get(from) ?? 0) < (depths.get(to) ?? 0))) break
  }
  const columns: Node[][] = []
  for (const node of nodes) {
    const depth = depths.get(node.id) ?? 0
    const column = columns[depth] ?? []
    columns[depth] = [...column, node]
  }
  return Array.from(columns, (column) => column ?? [])
}
