import type { SettingsChange, Values } from '../server/index.ts'

/** The changes that turn shown settings into those of the form. */
export function changeOf(before: Values, after: Values): SettingsChange {
  const unset: string[] = []
  return { data: changed({ before, after, at: '', unset }), unset }
}

interface Compared {
  readonly before: Values
  readonly after: Values
  /** The JSON pointer of both. */
  readonly at: string
  /** Takes the pointers of what is gone. */
  readonly unset: string[]
}

function changed({ before, after, at, unset }: Compared): Values {
  const data: { [key: string]: unknown } = {}
  for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const [old, value] = [before[key], after[key]]
    const pointer = `${at}/${escaped(key)}`
    if (value === undefined) {
      if (old !== undefined) unset.push(pointer)
    } else if (isValues(old) && isValues(value)) {
      const inner = changed({ before: old, after: value, at: pointer, unset })
      if (Object.keys(inner).length > 0) data[key] = inner
    } else if (JSON.stringify(old) !== JSON.stringify(value)) data[key] = value
  }
  return data
}

/** Whether a change touches one of some places: at it, above it or below it. */
export function touches({ data, unset }: SettingsChange, pointers: readonly string[]): boolean {
  const places = [...placesIn(data, ''), ...unset]
  const isNear = (one: string, other: string) =>
    one === other || one.startsWith(`${other}/`) || other.startsWith(`${one}/`)
  return places.some((place) => pointers.some((pointer) => isNear(place, pointer)))
}

export function isNothing({ data, unset }: SettingsChange): boolean {
  return unset.length === 0 && Object.keys(data).length === 0
}

function* placesIn(data: Values, at: string): Generator<string> {
  for (const [key, value] of Object.entries(data)) {
    const pointer = `${at}/${escaped(key)}`
    if (isValues(value)) yield* placesIn(value, pointer)
    else yield pointer
  }
}

/** A key in a JSON pointer. RFC 6901, 3 */
export function escaped(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1')
}

export function isValues(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
