import { isDeepStrictEqual } from 'node:util'
import { HostError } from '../../errors.ts'
import { findJsonFault, isObject, type JsonObject } from '../../events/index.ts'
import { ID_LISTS } from '../../resolve/resolution.ts'
import type { ConfigLayer, IdList } from '../layers.ts'
import type { SettingsDocument } from './settings-document.ts'
import { type Flat, inPlace } from './views/flat.ts'
import type { RjsfView } from './views/rjsf.ts'

/** What was shown: the document, or what a view of it was. */
export type ShownForm = Pick<SettingsDocument, 'data'> | Pick<RjsfView, 'formData'> | Flat

/**
 * A config with what a person changed in its form: the values of `answer`, as the form gave them back, that
 * differ from those that were shown. All else stays as it is, also what the form does not show; a default
 * that was left alone is not written.
 * @throws {HostError} SETTINGS_INVALID where what the form gave is no JSON object
 */
export function editConfig(config: ConfigLayer, shown: ShownForm, answer: JsonObject): ConfigLayer {
  checkAnswer(answer)
  const { switches: before = {}, ...old } = dataOf(shown)
  const { switches: after = {}, ...given } = 'pointers' in shown ? inPlace(shown, answer) : answer
  const edited = merged(config, old, given) as ConfigLayer
  const moved = Object.entries(after as JsonObject).filter(
    ([name, on]) => (before as JsonObject)[name] !== on,
  )
  return moved.reduce((whole, [name, on]) => switched(whole, name, on === true), edited)
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

/**
 * The config's value with the difference between two others applied. An object within a plugin's settings
 * of which the config has nothing is written with its defaults: they say which of several kinds it is.
 */
function merged(
  own: unknown,
  before: unknown,
  after: unknown,
  path: readonly string[] = [],
): unknown {
  if (isDeepStrictEqual(before, after)) return own
  const isWithin = path[0] === 'settings' && path.length > 2
  if (own === undefined && isWithin) return after
  if (!isObject(after) || (before !== undefined && !isObject(before))) return after
  const known = isObject(before) ? before : {}
  const result: Record<string, unknown> = isObject(own) ? { ...own } : {}
  for (const key of new Set([...Object.keys(known), ...Object.keys(after)])) {
    const inner = [...path, key]
    const value = merged(ownOf(result, key), ownOf(known, key), ownOf(after, key), inner)
    if (value === undefined) delete result[key]
    else result[key] = value
  }
  return result
}

/** Not what every object inherits. */
function ownOf(value: JsonObject, key: string): unknown {
  return Object.hasOwn(value, key) ? value[key] : undefined
}

/** A plugin's id in one of the two lists, and out of the other. */
function switched(config: ConfigLayer, name: string, on: boolean): ConfigLayer {
  const [enabled, disabled] = ID_LISTS
  return {
    ...config,
    [enabled]: listed(config[enabled], name, on),
    [disabled]: listed(config[disabled], name, !on),
  }
}

/** A list replaces the layers below, or changes them; it goes on doing so. */
function listed(list: IdList = {}, name: string, isIn: boolean): IdList {
  if (isIdArray(list)) {
    const others = list.filter((id) => id !== name)
    return isIn ? [...others, name] : others
  }
  const add = (list.add ?? []).filter((id) => id !== name)
  const remove = (list.remove ?? []).filter((id) => id !== name)
  return isIn ? { add: [...add, name], remove } : { add, remove: [...remove, name] }
}

function isIdArray(list: IdList): list is readonly string[] {
  return Array.isArray(list)
}
