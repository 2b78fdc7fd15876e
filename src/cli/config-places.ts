import { type Layer, placeOf, positionOf } from '@braidwork/core/internal'
import { isObject } from '@braidwork/plugin'

/** The place of a pointer, as `file:line:column`, if the highest layer that has its value, or the nearest above it, is a file. */
export function placeIn(layers: readonly Layer[], pointer: string): string | undefined {
  const keys = pointer.split('/').slice(1)
  for (let length = keys.length; length > 0; length--) {
    const layer = layers.findLast(({ config }) => hasAt(config, keys.slice(0, length)))
    if (layer) return layer.file && placeOf(layer.file.path, positionOf(layer.file.text, pointer))
  }
  return undefined
}

function hasAt(config: unknown, keys: readonly string[]): boolean {
  let value = config
  for (const key of keys.map((one) => one.replaceAll('~1', '/').replaceAll('~0', '~'))) {
    if (Array.isArray(value) ? !(key in value) : !isObject(value) || !Object.hasOwn(value, key))
      return false
    value = (value as { readonly [key: string]: unknown })[key]
  }
  return true
}
