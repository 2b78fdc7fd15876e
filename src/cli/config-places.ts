import { type Layer, placeOf, positionOf, valueAt } from '@braidwork/core/internal'
import { HostError } from '@braidwork/plugin'

/** The place of a pointer, as `file:line:column`, if the highest layer that has its value, or the nearest above it, is a file. */
export function placeIn(layers: readonly Layer[], pointer: string): string | undefined {
  for (let at = pointer; at !== ''; at = at.slice(0, at.lastIndexOf('/'))) {
    const layer = layers.findLast(({ config }) => valueAt(config, at) !== undefined)
    if (layer) return layer.file && placeOf(layer.file.path, positionOf(layer.file.text, pointer))
  }
  return undefined
}

/**
 * Does something with a config. If a variable that the config refers to is not set, the error has the place of the
 * reference in the file.
 * @throws {HostError} ENV_MISSING, and the errors of the function
 */
export async function withPlaces<T>(layers: readonly Layer[], act: () => Promise<T>): Promise<T> {
  try {
    return await act()
  } catch (error) {
    if (!HostError.is(error) || error.code !== 'ENV_MISSING') throw error
    const { message, pointer = '' } = error
    const place = placeIn(layers, pointer)
    if (place === undefined) throw error
    throw new HostError('ENV_MISSING', `${message} (${place})`, { pointer, cause: error })
  }
}
