import { isObject } from '@braidwork/plugin'
import { type ConfigLayer, type IdList, mergeLayers } from '../config/index.ts'
import { ID_LISTS } from '../resolve/index.ts'
import type { ShownForm } from './shown-form.ts'

const [ENABLED, DISABLED] = ID_LISTS

interface Switching {
  readonly on: boolean
  readonly shown: ShownForm
  /** The layers below the written layer, if they are known. */
  readonly below: ConfigLayer | undefined
}

/**
 * Switches a plugin on or off in a layer, with the smallest change: `disabled_plugins` wins over `enabled_plugins`, and
 * a plain list in this layer replaces the lists below.
 */
export function switched(config: ConfigLayer, name: string, switching: Switching): ConfigLayer {
  const { [ENABLED]: enabled, [DISABLED]: disabled } = config
  const isDefault = defaultOf(switching.shown, name)
  if (switching.on) {
    const inEnabled = isDefault === true ? enabled : listing(enabled, name)
    const isBelow = isDisabledBelow(disabled, name, switching)
    return withLists(config, inEnabled, without(disabled, name, isBelow))
  }
  const isEnough = isDefault === false && isIdArray(enabled)
  const inDisabled = isEnough ? disabled : listing(disabled, name)
  return withLists(config, without(enabled, name, false), inDisabled)
}

function withLists(
  config: ConfigLayer,
  enabled: IdList | undefined,
  disabled: IdList | undefined,
): ConfigLayer {
  const edited: Record<string, unknown> = { ...config, [ENABLED]: enabled, [DISABLED]: disabled }
  for (const key of [ENABLED, DISABLED]) if (edited[key] === undefined) delete edited[key]
  return edited
}

/** Whether a plugin is on by default. Undefined if the form does not say. */
function defaultOf(shown: ShownForm, name: string): unknown {
  const { properties } = ('schema' in shown && shown.schema) || {}
  const switches = isObject(properties) ? properties['switches'] : undefined
  const all = isObject(switches) ? switches['properties'] : undefined
  const own = isObject(all) && Object.hasOwn(all, name) ? all[name] : undefined
  return isObject(own) ? own['default'] : undefined
}

/** Whether a lower layer may disable the plugin. If that is not known, the answer is true. */
function isDisabledBelow(own: IdList | undefined, name: string, { below, shown }: Switching) {
  if (below) return mergeLayers(below).disabled_plugins?.includes(name) === true
  if (own && !isIdArray(own) && own.add?.includes(name)) return false
  const sections = 'sections' in shown ? shown.sections : undefined
  return sections?.find(({ plugin }) => plugin === name)?.rule !== 'off by default'
}

/** Adds an id to a list. A plain list stays a plain list, and a change (`{add, remove}`) stays a change. */
function listing(list: IdList = {}, name: string): IdList {
  if (isIdArray(list)) return list.includes(name) ? list : [...list, name]
  const { add = [], remove = [] } = list
  const more = add.includes(name) ? add : [...add, name]
  return changed(list, { add: more, remove: left(remove, name) }) ?? {}
}

/** Removes an id from a list. A change also removes it from the lists of lower layers, if `isBelow`. */
function without(list: IdList | undefined, name: string, isBelow: boolean): IdList | undefined {
  if (isIdArray(list)) return left(list, name)
  const { add = [], remove = [] } = list ?? {}
  const others = left(remove, name)
  const less = { add: left(add, name), remove: isBelow ? [...others, name] : others }
  return changed(list, less)
}

type Changes = Exclude<IdList, readonly string[]>

/** Drops the empty lists of a change, except for those that were there before. Undefined if none is left. */
function changed(before: Changes | undefined, after: Required<Changes>): IdList | undefined {
  const lists = (['add', 'remove'] as const).filter(
    (key) => after[key].length > 0 || before?.[key]?.length === 0,
  )
  if (lists.length === 0) return undefined
  return Object.fromEntries(lists.map((key) => [key, after[key]]))
}

function left(ids: readonly string[], name: string): readonly string[] {
  return ids.filter((id) => id !== name)
}

function isIdArray(list: IdList | undefined): list is readonly string[] {
  return Array.isArray(list)
}
