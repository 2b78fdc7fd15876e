import { type Explained, KINDS, STATES, stateOf } from './documents.ts'
import {
  type Edge,
  edgesOf,
  type Label,
  labelsOf,
  type Tracks,
  touchesOf,
  tracksOf,
} from './edges.ts'
import { BOX, type Box, type Column, LANE, MARGIN, ROW, TITLE, TRACK } from './geometry.ts'
import { busesOf } from './wires.ts'

/** A picture of plugins: boxes in a column for each kind, and edges between them. */
export interface Layout {
  readonly width: number
  readonly height: number
  readonly columns: readonly Column[]
  readonly boxes: readonly Box[]
  readonly edges: readonly Edge[]
  /** The names of tags, at their lines. */
  readonly labels: readonly Label[]
}

/** A box before it has a place in a picture. */
interface Seat extends Omit<Box, 'x' | 'y' | 'width' | 'height'> {
  /** How many states are above it in its column. */
  readonly group: number
}

/**
 * Draws plugins. Edges use three kinds of room that have no boxes: lanes above all boxes, tracks between the columns,
 * and the margins beside a box. So no edge crosses a box.
 */
export function layOut(plugins: readonly Explained[]): Layout {
  const seats = seatsOf(plugins)
  const buses = busesOf(plugins)
  const kinds = KINDS.filter((kind) => seats.some((seat) => seat.kind === kind))
  const places = new Map(seats.map((seat) => [seat.plugin, seat.column]))
  const tracks = tracksOf(buses, places, kinds.length)
  const lefts = leftsOf(tracks)
  const top = buses.length * LANE
  const boxes = seats.map((seat) => place(seat, lefts[seat.column] ?? 0, top + TITLE))
  const plan = { buses, boxes, lefts, tracks }
  const touches = touchesOf(plan)
  return {
    width: (lefts.at(-1) ?? 0) + 1,
    height: Math.max(top + TITLE, ...boxes.map(({ y }) => y + BOX.height)) + 1,
    columns: kinds.map((kind, at) => ({ kind, x: lefts[at] ?? 0, y: top + TITLE - 12 })),
    boxes,
    edges: edgesOf(plan, touches),
    labels: labelsOf(plan, touches),
  }
}

/** The rows of each column. Plugins of the same state keep their order. */
function seatsOf(plugins: readonly Explained[]): readonly Seat[] {
  const kinds = KINDS.filter((kind) => plugins.some((plugin) => plugin.kind === kind))
  return kinds.flatMap((kind, column) => {
    const own = plugins.filter((plugin) => plugin.kind === kind)
    const sorted = STATES.flatMap((state) => own.filter((plugin) => stateOf(plugin) === state))
    const states = STATES.filter((state) => own.some((plugin) => stateOf(plugin) === state))
    return sorted.map((explained, row): Seat => {
      const { plugin } = explained
      const state = stateOf(explained)
      return { plugin, kind, state, column, row, group: states.indexOf(state) }
    })
  })
}

/** The left sides of all columns, and of what would be the next one. */
function leftsOf(tracks: readonly Tracks[]): readonly number[] {
  let x = 1
  return tracks.map((own, at) => {
    const count = own.out.length + own.in.length
    const isOutside = at === 0 || at === tracks.length - 1
    const gutter = count === 0 && isOutside ? 0 : MARGIN * 2 + Math.max(count - 1, 1) * TRACK
    const left = x + gutter
    x = left + BOX.width
    return left
  })
}

function place({ group, ...seat }: Seat, x: number, top: number): Box {
  return { ...seat, x, y: top + group * ROW.gap + seat.row * ROW.pitch, ...BOX }
}
