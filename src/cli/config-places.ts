import { type Layer, placeOf, positionOf, valueAt } from '@braidwork/core/internal'

/** The place of a pointer, as `file:line:column`, if the highest layer that has its value, or the nearest above it, is a file. */
export function placeIn(layers: readonly Layer[], pointer: string): string | undefined {
  for (let at = pointer; at !== ''; at = at.slice(0, at.lastIndexOf('/'))) {
    const layer = layers.findLast(({ config }) => valueAt(config, at) !== undefined)
    if (layer) return layer.file && placeOf(layer.file.path, positionOf(layer.file.text, pointer))
  }
  return undefined
}
