import type { Storage } from '@braidwork/agent'
import type { HostError, Log } from '@braidwork/plugin'
import type { ServerOptions } from '@braidwork/server'
import { optionsOf, readServerConfig, type ServerConfig } from '@braidwork/server/internal'
import { withPlaces } from './config-places.ts'
import { assertProviderNamed } from './fallback-provider.ts'
import { hostLog } from './host-log.ts'
import { type OpenHost, openHost } from './open-host.ts'
import { declaredAgents } from './open-runtime.ts'
import { assertCounted, type ConfigOptions, loadConfig } from './options.ts'
import type { PluginVersions } from './plugin-versions.ts'
import { accessOf } from './server-access.ts'

export interface ServedPlace extends ConfigOptions {
  /** The address to listen on. */
  readonly hostname: string
}

/** The `server` part of a config as it is given, and checked. */
export interface ReadServer {
  readonly given: unknown
  readonly config: ServerConfig
  readonly access: ReturnType<typeof accessOf>
}

/**
 * Reads the `server` part of the config files.
 * @throws {HostError} CONFIG_INVALID, ENV_MISSING
 */
export async function readServer({ hostname, ...place }: ServedPlace): Promise<ReadServer> {
  const { config: layered, layers, diagnostics } = loadConfig(place)
  assertCounted(diagnostics)
  const { server: given } = layered
  const config = await withPlaces(layers, () => readServerConfig(given, process.env))
  return { given, config, access: accessOf(config, hostname) }
}

/** The options of a server from a config, with the opened host. */
export interface OpenedServer {
  readonly opened: OpenHost
  readonly options: ServerOptions
}

/** Opens the host of a config. @throws {HostError} CONFIG_INVALID, PROVIDER_MISSING, and the errors of opening a host */
export async function openServer(
  { hostname: _, ...place }: ServedPlace,
  { config, access }: ReadServer,
  parts: { readonly log: Log; readonly storage: Storage; readonly versions: PluginVersions },
): Promise<OpenedServer> {
  const { log, storage, versions } = parts
  const ofHost = hostLog(log, config.log_content === true)
  const opened = await openHost(place, { log: ofHost, storage, versions: versions.of })
  try {
    assertCounted(opened.diagnostics)
    const { host, entries } = opened
    await assertProviderNamed(opened)
    const { runtime, faults } = await declaredAgents(opened)
    for (const fault of faults) log(entryOf(fault))
    versions.look(entries)
    return { opened, options: { ...optionsOf(config), ...access, host, runtime, storage, log } }
  } catch (error) {
    await opened.host.close()
    throw error
  }
}

/** A spec that is not valid is no reason to refuse the other agents. */
function entryOf({ code, message, pointer }: HostError): Parameters<Log>[0] {
  return { level: 'error', message, code, ...(pointer === undefined ? {} : { pointer }) }
}
