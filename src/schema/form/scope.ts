import { pointerOf } from '../../events/index.ts'

/** The place of a value as the layouts of JSON Forms say it: a pointer into the schema. */
export function scopeOf(path: readonly string[]): string {
  return `#${path.map((key) => `/properties${pointerOf([key])}`).join('')}`
}
