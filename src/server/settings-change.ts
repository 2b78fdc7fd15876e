import type { SettingsDocument } from '@braidwork/core'
import { pointerPath, validatorOf } from '@braidwork/core/internal'
import { HostError, isObject, type JsonObject } from '@braidwork/plugin'
import { asSentence } from '@braidwork/plugin/internal'
import { checkOwnSettings } from './own-settings.ts'

/** What a caller changes in its settings. */
export interface SettingsChange {
  /** New values, as in the `data` of the document. */
  readonly data: JsonObject
  /** JSON pointers to the values that are set no longer. */
  readonly unset: readonly string[]
}

/**
 * The data of a settings document with a change.
 * @throws {HostError} REQUEST_INVALID if the caller may not make the change, or the settings do not fit the schema
 */
export async function changedSettings(
  document: SettingsDocument,
  { data, unset }: SettingsChange,
  settable: readonly string[],
): Promise<JsonObject> {
  const paths = unset.map(pointerPath)
  checkOwnSettings(document, { data, unset: paths }, settable)
  const changed = paths.reduce<JsonObject>(without, merged(document.data, data))
  const fault = (await validatorOf(document.schema))(changed)
  if (!fault) return changed
  const message = `The settings are not valid: ${asSentence(fault.message)}`
  throw new HostError('REQUEST_INVALID', message, { pointer: `/data${fault.pointer}` })
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
