import { fileURLToPath } from 'node:url'

/** Returns the path that a path or a `file:` address names. */
export function pathOf(place: string): string {
  return place.startsWith('file://') ? fileURLToPath(place) : place.replace(/^file:/, '')
}
