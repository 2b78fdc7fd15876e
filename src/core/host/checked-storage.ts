import { HostError, type PluginStorage } from '@braidwork/plugin'
import { plainJson } from './plain-json.ts'

const known = new WeakMap<PluginStorage, PluginStorage>()

/** A plugin's storage that refuses values that are not JSON, of which a database would keep something else or nothing. */
export function checkedStorage(storage: PluginStorage, plugin: string): PluginStorage {
  const made = known.get(storage) ?? checked(storage, plugin)
  known.set(storage, made)
  return made
}

function checked(storage: PluginStorage, plugin: string): PluginStorage {
  return Object.freeze({
    get: (key: string) => storage.get(key),
    set: async (key: string, value: unknown) => storage.set(key, storable(value, { key, plugin })),
    list: (prefix?: string) => storage.list(prefix),
    delete: (key: string) => storage.delete(key),
  })
}

/** The value as JSON. @throws {HostError} OPTION_INVALID, with the place in it */
function storable(value: unknown, { key, plugin }: { key: string; plugin: string }): unknown {
  const plain = plainJson(value ?? null)
  if (!('fault' in plain)) return plain.value
  const { pointer, reason } = plain.fault
  const place = pointer === '' ? '' : ` at ${pointer}`
  const message = `The value for "${key}" in the storage of plugin "${plugin}" cannot be stored${place}: ${reason}.`
  throw new HostError('OPTION_INVALID', message, { plugin, pointer })
}
