import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Storage } from '../agent/storage/index.ts'
import { isObject } from '../events/index.ts'
import { userDataFile } from '../load/user-folder.ts'
import { readServerConfig } from '../server/server-config.ts'
import { openStorage } from '../store/open-storage.ts'

/**
 * The storage that the server's part of a config names; where it names none, a file of SQLite among the
 * user's data.
 * @throws {HostError} CONFIG_INVALID, STORAGE_FAILED, STORAGE_NEWER
 */
export async function openStore(server: unknown): Promise<Storage> {
  // Its other parts may name variables that only the server itself needs.
  const part = isObject(server) ? { store: server['store'] } : server
  const { store } = await readServerConfig(part, process.env)
  const place = store ?? userDataFile('conversations.db')
  if (store === undefined) mkdirSync(dirname(place), { recursive: true, mode: 0o700 })
  return openStorage(place)
}
