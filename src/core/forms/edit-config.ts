import { isDeepStrictEqual } from 'node:util'
import { findJsonFault, HostError, isObject, type JsonObject } from '@braidwork/plugin'
import type { ConfigLayer } from '../config/index.ts'
import type { ShownForm } from './shown-form.ts'
import { switched } from './switches.ts'
import { keysGone } from './union.ts'
import { inPlace, schemaOfKinds } from './views/flat.ts'
import { withoutShownDefaults } from './views/valves.ts'
import { withoutDefaults } from './without-defaults.ts'

/**
 * Applies a person's changes in a form to the config. A value of `answer` counts as a change if it differs from the
 * shown value. Everything else stays as it is, also settings that the form does not show. An unchanged default is not
 * written. If a setting changes its kind, the keys that only the old kind has are removed.
 * @throws {HostError} SETTINGS_INVALID if `answer` is not a JSON object
 */
export function editConfig(config: ConfigLayer, shown: ShownForm, answer: JsonObject): ConfigLayer {
  return editLayer(config, shown, answer)
}

/** Applies the changes to one of several layers. The layers below it are in the options. */
export function editLayer(
  config: ConfigLayer,
  shown: ShownForm,
  answer: JsonObject,
  below?: ConfigLayer,
): ConfigLayer {
  checkAnswer(answer)
  const { switches: before = {}, ...old } = dataOf(shown)
  const { switches: after = {}, ...given } = answerIn(shown, answer)
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
  const { pointer, reason } = fault ?? { pointer: '', reason: 'it is not an object' }
  const where = pointer === '' ? '' : ` at ${pointer}`
  throw new HostError(
    'SETTINGS_INVALID',
    `The values from the form are invalid${where}: ${reason}`,
    {
      pointer,
    },
  )
}

function dataOf(shown: ShownForm): JsonObject {
  if ('pointers' in shown) return inPlace(shown, shown.values)
  return 'formData' in shown ? shown.formData : shown.data
}

function answerIn(shown: ShownForm, answer: JsonObject): JsonObject {
  if (!('pointers' in shown)) return answer
  return inPlace(shown, shown.spec ? withoutShownDefaults(shown, shown.spec, answer) : answer)
}

/** A value of the config, the value that the form showed for it, and the value that it returned. */
interface Merging {
  readonly own: unknown
  readonly before: unknown
  readonly after: unknown
  /** The schema of the value in the form, if it is known. */
  readonly schema: JsonObject | undefined
}

/** The value of the config with the change in the form applied. */
function merged({ own, before, after, schema }: Merging, path: readonly string[] = []): unknown {
  if (isUnchanged(before, after)) return own
  const isWithin = path[0] === 'settings' && path.length > 2
  if (own === undefined && isWithin) return withoutDefaults(after, schema)
  if (!isObject(after) || (before !== undefined && !isObject(before))) return after
  return members({ own, before: isObject(before) ? before : {}, after, schema }, path)
}

/** Merges an object member by member, and removes keys that only its previous kind has. */
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

/** Whether a form returned the shown value. Some forms return an empty list for a list that was never set. */
export function isUnchanged(before: unknown, after: unknown): boolean {
  const isEmptyList = Array.isArray(after) && after.length === 0
  return isDeepStrictEqual(before, after) || (before === undefined && isEmptyList)
}

/** The schema of a member, also of one that is shown only under a condition. */
function schemaOf(schema: JsonObject | undefined, key: string): JsonObject | undefined {
  const { properties, allOf } = schema ?? {}
  const conditions = Array.isArray(allOf) ? allOf.filter(isObject) : []
  const shown = conditions.flatMap(({ then }) => (isObject(then) ? [then['properties']] : []))
  const maps = [properties, ...shown].filter(isObject)
  return maps.map((map) => ownOf(map, key)).find(isObject)
}

/** The member of an object itself, and not one inherited from `Object.prototype`. */
function ownOf(value: JsonObject, key: string): unknown {
  return Object.hasOwn(value, key) ? value[key] : undefined
}
