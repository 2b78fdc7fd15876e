import { memoryStorage, type Storage } from '@braidwork/agent'
import { HostError } from '@braidwork/plugin'
import { toMissingPackage, withMessage } from '@braidwork/plugin/internal'

/**
 * Opens the storage that a setting names: `memory`, `postgres://…`, or the path of an SQLite file.
 * @throws {HostError} OPTION_INVALID for an unknown address scheme; STORAGE_FAILED; STORAGE_NEWER;
 *   PACKAGE_MISSING if the database's driver is not installed
 */
export async function openStorage(place: string): Promise<Storage> {
  try {
    return await open(place)
  } catch (error) {
    if (!HostError.is(error)) throw toMissingPackage(error, `The storage ${shown(place)} needs`)
    if (!error.code.startsWith('STORAGE_')) throw error
    throw withMessage(error, `The storage ${shown(place)} cannot be opened. ${error.message}`)
  }
}

async function open(place: string): Promise<Storage> {
  if (place === 'memory') return memoryStorage()
  if (/^postgres(?:ql)?:\/\//.test(place)) {
    if (!URL.canParse(place)) {
      throw new HostError(
        'OPTION_INVALID',
        `The storage address begins with "postgres://" but is not a valid URL.`,
      )
    }
    return (await import('./postgres/index.ts')).postgresStorage(place)
  }
  // A scheme has at least two characters, because a single letter before the colon is a Windows drive.
  const [, scheme] = /^([a-z][\w+.-]+):/i.exec(place) ?? []
  if (scheme !== undefined && scheme.toLowerCase() !== 'file') {
    throw new HostError(
      'OPTION_INVALID',
      `The storage address has the unknown scheme "${scheme}:". Give "memory", the path or "file:" address of an SQLite file, or "postgres://…".`,
    )
  }
  return (await import('./sqlite/index.ts')).sqliteStorage(place)
}

/** The place for an error message, without the user name and password of an address. */
function shown(place: string): string {
  const [scheme] = /^[a-z]+:\/\//i.exec(place) ?? []
  if (scheme === undefined) return `"${place}"`
  const { host, pathname } = new URL(place)
  return `"${scheme}${host}${pathname}"`
}
