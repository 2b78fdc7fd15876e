import type { Kind, State } from './documents.ts'

/** The size of a box. */
export const BOX = { width: 136, height: 30 } as const
/** The distance of the tops of boxes, and what is added between boxes of different states. */
export const ROW = { pitch: 38, gap: 10 } as const
/** The distance of horizontal lines, which have labels, and of vertical ones. */
export const LANE = 17
export const TRACK = 6
/** The space beside a box before the first vertical line. */
export const MARGIN = 9
/** The height of the title of a column. */
export const TITLE = 30

/** A plugin in a picture. */
export interface Box {
  readonly plugin: string
  readonly kind: Kind
  readonly state: State
  /** The place of its column, and its place there. */
  readonly column: number
  readonly row: number
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** The title of the boxes of a kind. */
export interface Column {
  readonly kind: Kind
  readonly x: number
  readonly y: number
}

export type Point = readonly [x: number, y: number]

/** The path of a line with right angles, which are rounded. */
export function pathOf(points: readonly Point[], radius = 5): string {
  const [first = [0, 0], ...others] = points
  const parts = others.map((point, at) => {
    const next = others[at + 1]
    return next ? corner(points[at] ?? first, point, next, radius) : `L${point.join(' ')}`
  })
  return `M${first.join(' ')}${parts.join('')}`
}

/** A line almost to a point, and a bend towards the next one. */
function corner(from: Point, at: Point, to: Point, radius: number): string {
  const before = towards(at, from, radius)
  const after = towards(at, to, radius)
  return `L${before.join(' ')}Q${at.join(' ')} ${after.join(' ')}`
}

/** The point at a distance from another one on the way to a third, and at most half of that way. */
function towards(from: Point, to: Point, distance: number): Point {
  const [x, y] = [to[0] - from[0], to[1] - from[1]]
  // Lines are horizontal or vertical.
  const length = Math.abs(x) + Math.abs(y)
  if (length === 0) return from
  const part = Math.min(distance, length / 2) / length
  return [round(from[0] + x * part), round(from[1] + y * part)]
}

export function round(value: number): number {
  return Math.round(value * 100) / 100
}
