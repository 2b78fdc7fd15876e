import type { Storage } from '@braidwork/agent'
import { isObject, type Log } from '@braidwork/plugin'
import { readServerConfig } from '@braidwork/server/internal'
import { withPlaces } from './config-places.ts'
import { reportDiagnostics } from './exit.ts'
import { type ConfigOptions, loadConfig } from './options.ts'
import { PluginVersions } from './plugin-versions.ts'
import { type OpenedServer, openServer, type ReadServer } from './served-config.ts'
import { LOOPBACK_ADDRESS } from './server-access.ts'
import { openStore } from './server-store.ts'

/** The parts of a server of this process alone: it has the storage of the config, and no callers over HTTP. */
export interface OwnServer extends OpenedServer {
  readonly read: ReadServer
  readonly storage: Storage
}

/**
 * Opens the parts of a server for one command, and closes them after it.
 * @throws {HostError} CONFIG_INVALID, and the errors of opening a host and a storage
 */
export async function withOwnServer<T>(
  options: ConfigOptions,
  log: Log,
  act: (server: OwnServer) => Promise<T>,
): Promise<T> {
  const read = await readOwn(options)
  const storage = await openStore(read.given)
  try {
    const parts = { log, storage, versions: new PluginVersions() }
    const server = await openServer({ ...options, hostname: LOOPBACK_ADDRESS }, read, parts)
    await using _ = server.opened.host
    reportDiagnostics(server.opened.diagnostics)
    return await act({ ...server, read, storage })
  } finally {
    await storage.close()
  }
}

/** The `server` part of the config without what concerns callers over HTTP. @throws {HostError} CONFIG_INVALID */
async function readOwn(options: ConfigOptions): Promise<ReadServer> {
  const { config: layered, layers } = loadConfig(options)
  const { server = {} } = layered
  const given = isObject(server) ? { ...server, ...WITHOUT_CALLERS } : server
  const config = await withPlaces(layers, () => readServerConfig(given, process.env))
  return { given, config, access: {} }
}

/** Who may call over HTTP, and by which names and paths. */
const WITHOUT_CALLERS = {
  tokens: undefined,
  oidc: undefined,
  stored_tokens: undefined,
  hosts: undefined,
  origins: undefined,
  trust_proxy: undefined,
  base_path: undefined,
}
