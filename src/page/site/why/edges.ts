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
export function edgesOf({ buses }: Plan, { out, in: into }: Touches): readonly Edge[] {
  const edges = buses.flatMap((bus, at) =>
    bus.wires.flatMap((wire): readonly Edge[] => {
      const start = out.get(bus)?.get(wire.from)
      const end = into.get(bus)?.get(wire.to)
      if (!start || !end) return []
      const lane = laneAt(at)
      const points: readonly Point[] = [
        start.box,
        start.track,
        [start.track[0], lane],
        [end.track[0], lane],
        end.track,
        end.box,
      ]
      return [{ ...wire, points, path: pathOf(points) }]
    }),
  )
  return [...edges.filter(({ live }) => !live), ...edges.filter(({ live }) => live)]
}

/** The labels of the lanes, where these begin. */
export function labelsOf({ buses }: Plan, { out, in: into }: Touches): readonly Label[] {
  return buses.map((bus, at) => {
    const ends = [out, into].flatMap((touches) => [...(touches.get(bus)?.values() ?? [])])
    const x = Math.min(...ends.map(({ track }) => track[0])) + 8
    const live = bus.wires.some((wire) => wire.live)
    return { tag: bus.tag, need: bus.need, live, x, y: laneAt(at) - 3 }
  })
}

function laneAt(lane: number): number {
  return (lane + 1) * LANE - 2
}

/** Where a bus touches a box, and the point beside it on the track of the bus. */
interface Touch {
  readonly box: Point
  readonly track: Point
}

type TouchesOfSide = ReadonlyMap<Bus, ReadonlyMap<string, Touch>>

/** Where each bus leaves and enters boxes, by the names of their plugins. */
export interface Touches {
  readonly out: TouchesOfSide
  readonly in: TouchesOfSide
}

export function touchesOf(plan: Plan): Touches {
  return { out: touchesOfSide(plan, 'out'), in: touchesOfSide(plan, 'in') }
}

function touchesOfSide(plan: Plan, side: keyof Touches): TouchesOfSide {
  const touches = new Map(plan.buses.map((bus) => [bus, new Map<string, Touch>()]))
  const ports = portsOf(plan.buses, side === 'out' ? 'from' : 'to')
  for (const box of plan.boxes) {
    const own = ports.get(box.plugin) ?? []
    const x = side === 'out' ? box.x + BOX.width : box.x
    own.forEach((bus, at) => {
      const y = round(box.y + (BOX.height * (at + 1)) / (own.length + 1))
      const track = trackAt(plan, side === 'out' ? box.column + 1 : box.column, { bus, side })
      touches.get(bus)?.set(box.plugin, { box: [x, y], track: [track, y] })
    })
  }
  return touches
}

/** The track of a bus left of a column. */
function trackAt(
  { lefts, tracks }: Plan,
  column: number,
  { bus, side }: { readonly bus: Bus; readonly side: keyof Touches },
): number {
  const own = tracks[column] ?? { in: [], out: [] }
  const at = side === 'out' ? own.out.indexOf(bus) : own.out.length + own.in.indexOf(bus)
  const after = own.out.length + own.in.length - 1 - at
  return (lefts[column] ?? 0) - MARGIN - after * TRACK
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
