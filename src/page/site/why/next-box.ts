import type { Box } from './geometry.ts'

/** The box that a key goes to from another one, in a picture of columns. Undefined if there is none. */
export function nextBox(boxes: readonly Box[], from: Box, key: string): Box | undefined {
  const own = boxes.filter(({ column }) => column === from.column)
  if (key === 'Home') return own[0]
  if (key === 'End') return own.at(-1)
  if (key === 'ArrowUp') return own[from.row - 1]
  if (key === 'ArrowDown') return own[from.row + 1]
  if (key === 'ArrowLeft') return nearest(boxes, from, -1)
  return key === 'ArrowRight' ? nearest(boxes, from, 1) : undefined
}

/** The box of the column beside that is closest in height. */
function nearest(boxes: readonly Box[], from: Box, side: 1 | -1): Box | undefined {
  const [first, ...others] = boxes.filter(({ column }) => column === from.column + side)
  if (!first) return undefined
  const distance = ({ y }: Box) => Math.abs(y - from.y)
  return others.reduce((best, box) => (distance(box) < distance(best) ? box : best), first)
}
