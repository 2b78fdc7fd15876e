import { isDeepStrictEqual } from 'node:util'
import { isObject, type JsonObject } from '../../events/index.ts'
import { ID_LISTS } from '../../resolve/resolution.ts'
import type { ConfigLayer, IdList } from '../layers.ts'
import type { SettingsDocument } from './settings-document.ts'

/**
 * A config with what a person changed in its form: the values of `data` that differ from the document's.
 * All else stays as it is, also what the form does not show; a default that was left alone is not written.
 */
export function editConfig(
  config: ConfigLayer,
  document: Pick<SettingsDocument, 'data'>,
  data: JsonObject,
): ConfigLayer {
  const { switches: before = {}, ...shown } = document.data
  const { switches: after = {}, ...given } = data
  const edited = merged(config, shown, given) as ConfigLayer
  const moved = Object.entries(after as JsonObject).filter(
    ([name, on]) => (before as JsonObject)[name] !== on,
  )
  return moved.reduce((whole, [name, on]) => switched(whole, name, on === true), edited)
}

/** The config's value with the difference between two others applied. */
function merged(own: unknown, before: unknown, after: unknown): unknown {
  if (isDeepStrictEqual(before, after)) return own
  if (!isObject(after) || (before !== undefined && !isObject(before))) return after
  const known = isObject(before) ? before : {}
  const result: Record<string, unknown> = isObject(own) ? { ...own } : {}
  for (const key of new Set([...Object.keys(known), ...Object.keys(after)])) {
    const value = merged(result[key], known[key], after[key])
    if (value === undefined) delete result[key]
    else result[key] = value
  }
  return result
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
