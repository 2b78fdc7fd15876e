import { pointerOf } from '@braidwork/plugin'

/** The place of a value as the layouts of JSON Forms say it: a pointer into the schema. */
export function scopeOf(path: readonly string[]): string {
  return `#${path.map((key) => `/properties${pointerOf([key])}`).join('')}`
}

/** The keys of a value whose place is said so. */
export function pathOf(scope: string): readonly string[] {
  const keys = scope.split('/').filter((_, at) => at > 0 && at % 2 === 0)
  return keys.map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'))
}
