import { pointerOf } from '@braidwork/plugin'

/** The place of a value in JSON Forms' format: a pointer into the schema. */
export function scopeOf(path: readonly string[]): string {
  return `#${path.map((key) => `/properties${pointerOf([key])}`).join('')}`
}

/** The keys of the value that a scope points to. */
export function pathOf(scope: string): readonly string[] {
  const keys = scope.split('/').filter((_, at) => at > 0 && at % 2 === 0)
  return keys.map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'))
}
