import { BOX, type Box, LANE, MARGIN, type Point, pathOf, round, TRACK } from './geometry.ts'
import type { Bus, Wire } from './wires.ts'

/** A line from the right side of a box to the left side of another one. */
export interface Edge extends Wire {
  readonly points: readonly Point[]
  readonly path: string
}

/** The name of a tag, above its lane. */
export interface Label extends Pick<Bus, 'tag' | 'need'> {
  readonly x: number
  readonly y: number
  readonly live: boolean
}

/** The buses with a vertical line left of a column, from left to right. */
export interface Tracks {
  /** Those that leave the column before. */
  readonly out: readonly Bus[]
  /** Those that enter the column. */
  readonly in: readonly Bus[]
}

/** What is known before edges are drawn. */
export interface Plan {
  readonly buses: readonly Bus[]
  readonly boxes: readonly Box[]
  /** The left sides of the columns. */
  readonly lefts: readonly number[]
  readonly tracks: readonly Tracks[]
}

/**
 * The tracks left of each column and right of the last one. A bus with an upper lane leaves further left and enters
 * further right than one below, so that they do not cross each other at their lanes.
 *
 * @param columns the column of each plugin
 */
export function tracksOf(
  buses: readonly Bus[],
  columns: ReadonlyMap<string, number>,
  count: number,
): readonly Tracks[] {
  const tracks = Array.from({ length: count + 1 }, () => ({ out: [] as Bus[], in: [] as Bus[] }))
  for (const bus of buses) {
    const froms = new Set(bus.wires.map(({ from }) => (columns.get(from) ?? 0) + 1))
    const tos = new Set(bus.wires.map(({ to }) => columns.get(to) ?? 0))
    for (const at of froms) tracks[at]?.out.push(bus)
    for (const at of tos) tracks[at]?.in.unshift(bus)
  }
  return tracks
}

/** The edges of all wires, the live ones last: they are drawn over the others. */
export function edgesOf(plan: Plan): readonly Edge[] {
  const lines = linesOf(plan)
  const edges = plan.buses.flatMap((bus, lane) =>
    bus.wires.flatMap((wire): readonly Edge[] => {
      const start = lines.leave(bus, wire.from)
      const end = lines.enter(bus, wire.to)
      if (!start || !end) return []
      const points = [
        ...start,
        [start[1][0], laneAt(lane)],
        [end[1][0], laneAt(lane)],
        ...end.toReversed(),
      ] as const
      return [{ ...wire, points, path: pathOf(points) }]
    }),
  )
  return [...edges.filter(({ live }) => !live), ...edges.filter(({ live }) => live)]
}

/** The labels of the lanes, where these begin. */
export function labelsOf(plan: Plan): readonly Label[] {
  const lines = linesOf(plan)
  return plan.buses.map((bus, lane) => {
    const ends = bus.wires.flatMap(({ from, to }) => [
      lines.leave(bus, from)?.[1][0] ?? 0,
      lines.enter(bus, to)?.[1][0] ?? 0,
    ])
    const { tag, need } = bus
    const live = bus.wires.some((wire) => wire.live)
    return { tag, need, live, x: Math.min(...ends) + 8, y: laneAt(lane) - 3 }
  })
}

function laneAt(lane: number): number {
  return (lane + 1) * LANE - 2
}

/** Where a bus touches a box, and the point beside it on the track of the bus. */
type Touch = readonly [Point, Point]

function linesOf({ buses, boxes, lefts, tracks }: Plan) {
  const named = new Map(boxes.map((box) => [box.plugin, box]))
  const outs = portsOf(buses, 'from')
  const ins = portsOf(buses, 'to')
  const trackAt = (column: number, bus: Bus, side: 'in' | 'out') => {
    const own = tracks[column] ?? { in: [], out: [] }
    const at = side === 'out' ? own.out.indexOf(bus) : own.out.length + own.in.indexOf(bus)
    const count = own.out.length + own.in.length
    return round((lefts[column] ?? 0) - MARGIN - (count - 1 - at) * TRACK)
  }
  const touch = (name: string, bus: Bus, side: 'in' | 'out'): Touch | undefined => {
    const box = named.get(name)
    const ports = (side === 'out' ? outs : ins).get(name)
    if (!box || !ports) return undefined
    const y = round(box.y + (BOX.height * (ports.indexOf(bus) + 1)) / (ports.length + 1))
    const x = side === 'out' ? box.x + BOX.width : box.x
    const track = trackAt(side === 'out' ? box.column + 1 : box.column, bus, side)
    return [
      [x, y],
      [track, y],
    ]
  }
  return {
    leave: (bus: Bus, name: string) => touch(name, bus, 'out'),
    enter: (bus: Bus, name: string) => touch(name, bus, 'in'),
  }
}

/** The buses that touch each plugin on a side. */
function portsOf(buses: readonly Bus[], side: 'from' | 'to'): ReadonlyMap<string, readonly Bus[]> {
  const ports = new Map<string, Bus[]>()
  for (const bus of buses) {
    for (const name of new Set(bus.wires.map((wire) => wire[side]))) {
      const own = ports.get(name)
      if (own) own.push(bus)
      else ports.set(name, [bus])
    }
  }
  return ports
}
