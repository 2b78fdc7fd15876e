import { isDeepStrictEqual } from 'node:util'
import { findJsonFault, HostError, isObject, type JsonObject } from '@braidwork/plugin'
import type { ConfigLayer } from '../config/index.ts'
import type { ShownForm } from './shown-form.ts'
import { switched } from './switches.ts'
import { keysGone } from './union.ts'
import { inPlace, schemaOfKinds } from './views/flat.ts'
import { withoutDefaults } from './without-defaults.ts'

/**
 * A config with what a person changed in its form: the values of `answer`, as the form gave them back, that
 * differ from those that were shown. All else stays as it is, also what the form does not show; a default
 * that was left alone is not written, and of a setting that is now of another kind, what only the old kind
 * has goes.
 * @throws {HostError} SETTINGS_INVALID where what the form gave is no JSON object
 */
export function editConfig(config: ConfigLayer, shown: ShownForm, answer: JsonObject): ConfigLayer {
  return editLayer(config, shown, answer)
}

/** The same for one layer of several, of which those below are known. */
export function editLayer(
  config: ConfigLayer,
  shown: ShownForm,
  answer: JsonObject,
  below?: ConfigLayer,
): ConfigLayer {
  checkAnswer(answer)
  const { switches: before = {}, ...old } = dataOf(shown)
  const { switches: after = {}, ...given } = 'pointers' in shown ? inPlace(shown, answer) : answer
  const schema = 'pointers' in shown ? schemaOfKinds(shown) : shown.schema
  const edited = merged({ own: config, before: old, after: given, schema }) as ConfigLayer
  const moved = Object.entries(after as JsonObject).filter(
    ([name, on]) => (before as JsonObject)[name] !== on,
  )
  return moved.reduce(
    (whole, [name, on]) => switched(whole, name, { on: on === true, shown, below }),
    edited,
  )
}

function checkAnswer(answer: unknown): void {
  const fault = findJsonFault(answer)
  if (!fault && isObject(answer)) return
  const { pointer, reason } = fault ?? { pointer: '', reason: 'it is no object' }
  const where = pointer === '' ? '' : ` at ${pointer}`
  throw new HostError('SETTINGS_INVALID', `What the form gave back is wrong${where}: ${reason}`, {
    pointer,
  })
}

function dataOf(shown: ShownForm): JsonObject {
  if ('pointers' in shown) return inPlace(shown, shown.values)
  return 'formData' in shown ? shown.formData : shown.data
}

/** A value of the config, what was shown of it, and what came back. */
interface Merging {
  readonly own: unknown
  readonly before: unknown
  readonly after: unknown
  /** Its schema in the form, where that is known. */
  readonly schema: JsonObject | undefined
}

/** The config's value with the difference between two others applied. */
function merged({ own, before, after, schema }: Merging, path: readonly string[] = []): unknown {
  if (isUnchanged(before, after)) return own
  const isWithin = path[0] === 'settings' && path.length > 2
  if (own === undefined && isWithin) return withoutDefaults(after, schema)
  if (!isObject(after) || (before !== undefined && !isObject(before))) return after
  return members({ own, before: isObject(before) ? before : {}, after, schema }, path)
}

/** An object's members, one by one; what only the kind has that it no longer is of goes. */
function members(
  { own, before, after, schema }: Merging & Readonly<Record<'before' | 'after', JsonObject>>,
  path: readonly string[],
): JsonObject {
  const result: Record<string, unknown> = isObject(own) ? { ...own } : {}
  const gone: string[] = []
  for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const [from, to] = [ownOf(before, key), ownOf(after, key)]
    const inner = schemaOf(schema, key)
    const values = { own: ownOf(result, key), before: from, after: to, schema: inner }
    const value = merged(values, [...path, key])
    if (value === undefined) delete result[key]
    else result[key] = value
    if (inner) gone.push(...keysGone(inner, from, to))
  }
  for (const key of gone) delete result[key]
  return result
}

/** Whether a form gave back what it had shown; some give an empty list for one that was never there. */
export function isUnchanged(before: unknown, after: unknown): boolean {
  const isEmptyList = Array.isArray(after) && after.length === 0
  return isDeepStrictEqual(before, after) || (before === undefined && isEmptyList)
}

/** The schema of a member, one that a condition shows among them. */
function schemaOf(schema: JsonObject | undefined, key: string): JsonObject | undefined {
  const { properties, allOf } = schema ?? {}
  const conditions = Array.isArray(allOf) ? allOf.filter(isObject) : []
  const shown = conditions.flatMap(({ then }) => (isObject(then) ? [then['properties']] : []))
  const maps = [properties, ...shown].filter(isObject)
  return maps.map((map) => ownOf(map, key)).find(isObject)
}

/** Not what every object inherits. */
function ownOf(value: JsonObject, key: string): unknown {
  return Object.hasOwn(value, key) ? value[key] : undefined
}
