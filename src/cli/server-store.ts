import type { Storage } from '@braidwork/agent'
import { codeOf, neededFile, userDataFile } from '@braidwork/core/internal'
import { HostError, isObject } from '@braidwork/plugin'
import { asSentence, withMessage } from '@braidwork/plugin/internal'
import { readServerConfig } from '@braidwork/server/internal'
import { openStorage } from '@braidwork/store'
import { isNewPlace, openExisting, openIfThere, shownPlace } from '@braidwork/store/internal'
import { withPlaces } from './config-places.ts'
import { type ConfigOptions, loadConfig } from './options.ts'

/**
 * Opens the storage that the server's part of the config names; by default an SQLite file among the user's data.
 * @throws {HostError} CONFIG_INVALID, STORAGE_FAILED, STORAGE_NEWER
 */
export async function openStore(server: unknown): Promise<Storage> {
  return openPlace(await storePlace(server))
}

/** A storage as a command tells of it. */
export interface OpenedPlace {
  readonly shown: string
  /** Whether the command created its file. */
  readonly isNew: boolean
}

/**
 * Opens the storage of the server that a config describes, and closes it afterwards. Only with `creates` may it be new.
 * @throws {HostError} OPTION_INVALID for the memory of the server; the errors of reading a config and of opening a
 * storage, and those of the function
 */
export async function withStorage<T>(
  options: ConfigOptions,
  act: (storage: Storage, opened: OpenedPlace) => Promise<T>,
  { creates = false }: { readonly creates?: boolean } = {},
): Promise<T> {
  const place = await configuredPlace(options)
  if (place === 'memory') throw isMemory()
  const opened = { shown: shownPlace(place), isNew: isNewPlace(place) }
  const storage = await (creates ? openPlace(place) : openExisting(place))
  try {
    return await act(storage, opened)
  } finally {
    await storage.close()
  }
}

/**
 * Opens that storage if there is one, and closes it afterwards. Creates none.
 * @throws {HostError} the errors of reading a config and of opening a storage, and those of the function
 */
export async function withStorageIfThere<T>(
  options: ConfigOptions,
  act: (storage: Storage | undefined) => Promise<T>,
): Promise<T> {
  const storage = await openIfThere(await configuredPlace(options))
  try {
    return await act(storage)
  } finally {
    await storage?.close()
  }
}

/**
 * Returns the place of that storage in the config that options name.
 * @throws {HostError} CONFIG_INVALID; ENV_MISSING, with the place in the file
 */
export function configuredPlace(options: ConfigOptions): Promise<string> {
  const { config, layers } = loadConfig({ ...options, walksUp: false })
  return withPlaces(layers, () => storePlace(config['server']))
}

/** Returns the place of that storage, as `openStorage` takes it. @throws {HostError} CONFIG_INVALID, ENV_MISSING */
async function storePlace(server: unknown): Promise<string> {
  // Only `store` is read: the other keys may reference environment variables that only the server needs.
  const part = isObject(server) ? { store: server['store'] } : server
  const { store } = await readServerConfig(part, process.env)
  return store ?? defaultPlace()
}

function isMemory(): HostError {
  const message =
    'The storage is the memory of the server, which no other process can use. Set "server.store" to a file or a database.'
  return new HostError('OPTION_INVALID', message)
}

/** @throws {HostError} ENV_MISSING if the user has no home folder */
function defaultPlace(): string {
  const advice = 'set "server.store" in the config to a file or a database'
  return neededFile(usualFile(), 'XDG_DATA_HOME', advice)
}

function usualFile(): string | undefined {
  return userDataFile('conversations.db')
}

/** What the system answers where a file cannot be created. */
const UNWRITABLE = new Set(['EACCES', 'ENOENT', 'ENOTDIR', 'EPERM', 'EROFS'])

/** Opens a storage. If nobody named its place, and nothing can be written there, the error says how to name another. */
async function openPlace(place: string): Promise<Storage> {
  try {
    return await openStorage(place)
  } catch (error) {
    const isUsual = place === usualFile() && HostError.is(error)
    if (!isUsual || !UNWRITABLE.has(codeOf(error.cause))) throw error
    const advice =
      'Set "server.store" in the config to a file that can be written or to a database, or XDG_DATA_HOME to a folder that can be written.'
    throw withMessage(error, `${asSentence(error.message)} ${advice}`)
  }
}
