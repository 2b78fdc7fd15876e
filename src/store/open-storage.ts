import { memoryStorage, type Storage } from '@braidwork/agent'
import { HostError } from '@braidwork/plugin'
import { withMessage } from '@braidwork/plugin/internal'

/**
 * The storage that a setting names: `memory`, `postgres://…`, or the path of a file of SQLite.
 * @throws {HostError} OPTION_INVALID for an address of another kind; STORAGE_FAILED, STORAGE_NEWER
 */
export async function openStorage(place: string): Promise<Storage> {
  try {
    return await open(place)
  } catch (error) {
    if (!HostError.is(error) || !error.code.startsWith('STORAGE_')) throw error
    throw withMessage(error, `The storage ${shown(place)} cannot be opened. ${error.message}`)
  }
}

async function open(place: string): Promise<Storage> {
  if (place === 'memory') return memoryStorage()
  if (/^postgres(?:ql)?:\/\//.test(place)) {
    if (!URL.canParse(place)) {
      throw new HostError('OPTION_INVALID', `What begins with "postgres://" is no address.`)
    }
    return (await import('./postgres/index.ts')).postgresStorage(place)
  }
  // One letter is a drive.
  const [, scheme] = /^([a-z][\w+.-]+):/i.exec(place) ?? []
  if (scheme !== undefined && scheme.toLowerCase() !== 'file') {
    throw new HostError(
      'OPTION_INVALID',
      `A storage is "memory", a path or "file:" address of SQLite, or "postgres://…", nothing of "${scheme}:".`,
    )
  }
  return (await import('./sqlite/index.ts')).sqliteStorage(place)
}

/** A place without what it takes to get there. */
function shown(place: string): string {
  const [scheme] = /^[a-z]+:\/\//i.exec(place) ?? []
  if (scheme === undefined) return `"${place}"`
  const { host, pathname } = new URL(place)
  return `"${scheme}${host}${pathname}"`
}
