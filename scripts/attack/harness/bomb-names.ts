/** Ways in which no model answers; what each sends stands in `bombs.ts`. */
export const BOMB_NAMES = [
  'endless-json',
  'endless-error',
  'gzip-json',
  'gzip-stream',
  'endless-line',
  'endless-data',
  'endless-deltas',
  'many-calls',
  'empty-chunks',
] as const
export type BombName = (typeof BOMB_NAMES)[number]
