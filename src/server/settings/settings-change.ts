import { type ConfigLayer, editConfig, type SettingsDocument } from '@braidwork/core'
import { faultIn, pointerPath } from '@braidwork/core/internal'
import { HostError, isObject, type JsonObject, pointerOf } from '@braidwork/plugin'
import { asSentence } from '@braidwork/plugin/internal'
import { type Changeable, changedPaths, checkOwnSettings } from './own-settings.ts'

/** What a caller changes in its settings. */
export interface SettingsChange {
  /** New values, as in the `data` of the document. */
  readonly data: JsonObject
  /** JSON pointers to the values that are set no longer. */
  readonly unset: readonly string[]
}

/** The settings of a caller at one place with a change. */
export interface ChangedSettings {
  readonly layer: OwnLayer
  /** The pointers to what the change sets, or sets no longer. */
  readonly changed: readonly string[]
}

/** What a caller stores. */
export type OwnLayer = ConfigLayer & { readonly [key: string]: unknown }

/**
 * The settings that a caller stores, with a change. What settings of plugins must match is not checked: it may depend on
 * other settings, so the document of before does not know it.
 * @throws {HostError} REQUEST_INVALID if the caller may not make the change, or a setting of the host is not valid
 */
export async function changedSettings(
  stored: ConfigLayer,
  document: SettingsDocument,
  { data, unset }: SettingsChange,
  changeable: Changeable,
): Promise<ChangedSettings> {
  const paths = unset.map(pointerPath)
  const changed = [...changedPaths(document.data, data), ...paths]
  checkOwnSettings(changed, changeable)
  const after = paths.reduce<JsonObject>(without, merged(document.data, data))
  const fault = await faultIn(ofHost(document.schema), after)
  if (fault) {
    const message = `The settings are not valid: ${asSentence(fault.message)}`
    throw new HostError('REQUEST_INVALID', message, { pointer: `/data${fault.pointer}` })
  }
  // A form does not show a value that is not valid, so an edit of what it shows would not remove it.
  const layer = paths.reduce<JsonObject>(without, editConfig(stored, document, after) as OwnLayer)
  return { layer, changed: changed.map(pointerOf) }
}

/** The schema of a document without that of the settings of plugins. */
function ofHost({ properties, ...rest }: JsonObject): JsonObject {
  const { settings: _, ...own } = properties as JsonObject
  return { ...rest, properties: own }
}

/** Returns `before` with the values of `after` merged in, recursively. */
function merged(before: JsonObject, after: JsonObject): JsonObject {
  const result: Record<string, unknown> = { ...before }
  for (const [key, value] of Object.entries(after)) {
    const old = result[key]
    result[key] = isObject(old) && isObject(value) ? merged(old, value) : value
  }
  return result
}

/** An object without the value at a path. */
function without(object: JsonObject, [key = '', ...rest]: readonly string[]): JsonObject {
  if (!Object.hasOwn(object, key)) return object
  const { [key]: inner, ...others } = object
  if (rest.length === 0) return others
  return isObject(inner) ? { ...object, [key]: without(inner, rest) } : object
}
