import { statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { codeOf } from '@braidwork/core/internal'

/** Returns the path that a path or a `file:` address names. */
export function pathOf(place: string): string {
  return place.startsWith('file://') ? fileURLToPath(place) : place.replace(/^file:/, '')
}

/** Why a path leads to no storage, or undefined if it leads to a file with content. */
export function absenceOfFile(path: string): string | undefined {
  const size = sizeOf(path)
  if (size === undefined) return `There is no SQLite file "${path}".`
  return size > 0 ? undefined : `The file "${path}" is empty: it has no SQLite database.`
}

function sizeOf(path: string): number | undefined {
  try {
    const found = statSync(path, { throwIfNoEntry: false })
    return found?.isFile() ? found.size : undefined
  } catch (error) {
    // The path goes through a file.
    if (codeOf(error) === 'ENOTDIR') return undefined
    throw error
  }
}
