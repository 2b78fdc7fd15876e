/** Kinds of malformed model answers. `bombs.ts` contains their content. */
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
