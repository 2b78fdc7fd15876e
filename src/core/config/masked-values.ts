import { isObject } from '@braidwork/plugin'
import { isKey, isOn, type Mark, type Step } from './secret-marks.ts'

/** What stands in the place of a secret. */
const MASKED = Object.freeze({ $secret: true })

/** The values at a path. There may be several if the path goes through lists or maps. */
export function valuesAt(value: unknown, [step, ...rest]: Mark['path']): readonly unknown[] {
  if (value === undefined || step === undefined) return value === undefined ? [] : [value]
  if (Array.isArray(value))
    return isKey(step) ? [] : value.flatMap((inner: unknown) => valuesAt(inner, rest))
  if (!isObject(value)) return []
  return keysOn(value, step).flatMap((key) => valuesAt(value[key], rest))
}

function keysOn(value: object, step: Step): readonly string[] {
  if (isKey(step)) return Object.hasOwn(value, step) ? [step] : []
  return Object.keys(value).filter((key) => isOn(step, key))
}

/** Copies a value and masks each value at a path. */
export function maskAt(whole: unknown, [step, ...rest]: Mark['path']): unknown {
  if (whole === undefined) return undefined
  if (step === undefined) return MASKED
  if (Array.isArray(whole)) return isKey(step) ? whole : whole.map((inner) => maskAt(inner, rest))
  if (!isObject(whole)) return whole
  const masked = keysOn(whole, step).map((key) => [key, maskAt(whole[key], rest)])
  return { ...whole, ...Object.fromEntries(masked) }
}

/** Copies settings and sets the value at a path. */
export function withValue(whole: unknown, path: readonly string[], value: unknown): unknown {
  const [key, ...rest] = path
  if (key === undefined) return value
  const object = isObject(whole) ? whole : {}
  return { ...object, [key]: withValue(object[key], rest, value) }
}

/** Copies a value and masks each text in it that is one of the secrets. */
export function maskValues(value: unknown, secrets: ReadonlySet<string>): unknown {
  if (typeof value === 'string') return secrets.has(value) ? MASKED : value
  if (Array.isArray(value)) return value.map((inner) => maskValues(inner, secrets))
  if (!isObject(value)) return value
  const masked = Object.entries(value).map(([key, inner]) => [key, maskValues(inner, secrets)])
  return Object.fromEntries(masked)
}

/** The texts in a value. In a map, only those under names that `isMeant` accepts, by default all. */
export function stringsIn(
  value: unknown,
  isMeant: (name: string) => boolean = () => true,
): string[] {
  if (typeof value === 'string') return [value]
  if (Array.isArray(value)) return value.flatMap((inner) => stringsIn(inner, isMeant))
  if (!isObject(value)) return []
  const meant = Object.entries(value).filter(([name]) => isMeant(name))
  return meant.flatMap(([, inner]) => stringsIn(inner, isMeant))
}
