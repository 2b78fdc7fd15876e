import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { memoryStorage, type Storage } from '@braidwork/agent'
import { invalidOption, isText } from '@braidwork/core/internal'
import { HostError } from '@braidwork/plugin'
import { toMissingPackage, withMessage } from '@braidwork/plugin/internal'
import { absenceOfFile, pathOf } from './place-path.ts'

/**
 * Opens the storage that a setting names: `memory`, `postgres://…`, or the path of an SQLite file. The driver of SQLite
 * releases a closed file when Node next collects garbage.
 * @throws {HostError} OPTION_INVALID for another value and for an unknown address scheme; STORAGE_FAILED; STORAGE_NEWER;
 *   PACKAGE_MISSING if the database's driver is not installed
 */
export async function openStorage(place: string): Promise<Storage> {
  return opening(place, () => open(place))
}

/** Runs a function that opens a storage, and names the storage in its errors. */
async function opening<T>(place: string, open: () => Promise<T>): Promise<T> {
  try {
    return await open()
  } catch (error) {
    if (!HostError.is(error)) throw toMissingPackage(error, `The storage ${shown(place)} needs`)
    if (!error.code.startsWith('STORAGE_')) throw error
    throw withMessage(error, `The storage ${shown(place)} cannot be opened. ${error.message}`)
  }
}

/**
 * Opens a storage like {@link openStorage}, but creates none.
 * @throws {HostError} STORAGE_FAILED if there is none, and the errors of `openStorage`
 */
export async function openExisting(place: string): Promise<Storage> {
  const absence = await absenceOf(place)
  if (absence === undefined) return openStorage(place)
  throw new HostError('STORAGE_FAILED', absence, { retryable: false })
}

/** Opens a storage like {@link openStorage}, but creates none. Returns undefined if there is none. */
export async function openIfThere(place: string): Promise<Storage | undefined> {
  return (await absenceOf(place)) === undefined ? openStorage(place) : undefined
}

/**
 * Writes a consistent copy of an SQLite storage into an existing, empty file, while servers use the storage. The copy
 * has every record that was stored before the call. It may still be in the caches of the system.
 * @param place as {@link openStorage} takes it
 * @throws {HostError} OPTION_INVALID if the storage is not one SQLite file; STORAGE_FAILED; PACKAGE_MISSING
 */
export async function copyStorage(place: string, target: string): Promise<void> {
  const kind = kindOf(place)
  if (kind === 'memory') {
    throw new HostError(
      'OPTION_INVALID',
      'The storage is the memory of the server, which no other process can copy. Set "server.store" to a file.',
    )
  }
  if (kind === 'postgres') {
    throw new HostError(
      'OPTION_INVALID',
      `The storage ${shown(place)} is a PostgreSQL database. Back it up with PostgreSQL's own pg_dump, which also works while servers use it.`,
    )
  }
  try {
    await (await import('./sqlite/index.ts')).copySqlite(place, target)
  } catch (error) {
    throw toMissingPackage(error, `The storage ${shown(place)} needs`)
  }
}

async function open(place: string): Promise<Storage> {
  const kind = kindOf(place)
  if (kind === 'memory') return memoryStorage()
  if (kind === 'postgres') return (await import('./postgres/index.ts')).postgresStorage(place)
  return (await import('./sqlite/index.ts')).sqliteStorage(place)
}

/** Checks the form of a place without opening it. @throws {HostError} OPTION_INVALID */
export function assertPlace(place: string): void {
  kindOf(place)
}

/** @throws {HostError} OPTION_INVALID */
function kindOf(place: string): 'memory' | 'postgres' | 'sqlite' {
  // A program in JavaScript may pass a wrong value, which would become the name of a file.
  if (!isText(place)) {
    throw invalidOption(
      'openStorage needs "memory", the path of an SQLite file, or "postgres://…", as a text.',
    )
  }
  if (place === 'memory') return 'memory'
  if (/^postgres(?:ql)?:\/\//.test(place)) {
    if (URL.canParse(place)) return 'postgres'
    throw new HostError(
      'OPTION_INVALID',
      `The storage address begins with "postgres://" but is not a valid URL.`,
    )
  }
  // A scheme has at least two characters, because a single letter before the colon is a Windows drive.
  const [, scheme] = /^([a-z][\w+.-]+):/i.exec(place) ?? []
  if (scheme !== undefined && scheme.toLowerCase() !== 'file') {
    throw new HostError(
      'OPTION_INVALID',
      `The storage address has the unknown scheme "${scheme}:". Give "memory", the path or "file:" address of an SQLite file, or "postgres://…".`,
    )
  }
  return 'sqlite'
}

/**
 * The place for people, without the user name and password of an address. The path of a file is absolute, because it
 * depends on the folder of the process.
 */
export function shownPlace(place: string): string {
  return isFile(place) ? `"${resolve(pathOf(place))}"` : shown(place)
}

/** Why there is no storage at a place, or undefined if there is one. */
async function absenceOf(place: string): Promise<string | undefined> {
  if (isFile(place)) return absenceOfFile(pathOf(place))
  if (kindOf(place) !== 'postgres') return undefined
  const isMade = await opening(place, async () =>
    (await import('./postgres/index.ts')).isMadePostgres(place),
  )
  return isMade ? undefined : `The database ${shown(place)} has no tables of Braidwork.`
}

/** Whether opening a storage would create its file. */
export function isNewPlace(place: string): boolean {
  return isFile(place) && !existsSync(pathOf(place))
}

function isFile(place: string): boolean {
  return kindOf(place) === 'sqlite' && place !== ':memory:'
}

/** The place for an error message, without the user name and password of an address. */
function shown(place: string): string {
  const [scheme] = /^[a-z]+:\/\//i.exec(place) ?? []
  if (scheme === undefined) return `"${place}"`
  const { host, pathname } = new URL(place)
  return `"${scheme}${host}${pathname}"`
}
