import { isDeepStrictEqual } from 'node:util'
import type { Storage } from '@braidwork/agent'
import type { Host } from '@braidwork/core'
import { pageFiles } from '@braidwork/page'
import { HostError, type Log } from '@braidwork/plugin'
import { messageOf, toHostError } from '@braidwork/plugin/internal'
import { type BraidworkServer, createServer, type ServerOptions } from '@braidwork/server'
import { type ServerConfig, tokenFaults } from '@braidwork/server/internal'
import { agentNames } from './agent-names.ts'
import { reportDiagnostics } from './exit.ts'
import type { OpenHost } from './open-host.ts'
import { PluginVersions } from './plugin-versions.ts'
import { openServer, type ReadServer, readServer, type ServedPlace } from './served-config.ts'

/** The keys of `server` that only a start reads. */
const FIXED = ['store', 'base_path', 'lease_seconds', 'drain_seconds', 'retention_days'] as const

export interface ReloadingParts {
  readonly place: ServedPlace
  readonly storage: Storage
  readonly log: Log
}

/** A server with a config that can be replaced by what its files say later. */
export class ReloadableServer {
  readonly server: BraidworkServer
  readonly #parts: ReloadingParts
  readonly #versions: PluginVersions
  /** The config of the start. */
  readonly #first: ServerConfig
  #opened: OpenHost
  /** The hosts of earlier configs, until they are closed. */
  readonly #earlier = new Set<Promise<void>>()
  #last: Promise<void> = Promise.resolve()

  private constructor(parts: ReloadingParts, first: ServerConfig, started: Started) {
    this.#parts = parts
    this.#first = first
    this.server = started.server
    this.#opened = started.opened
    this.#versions = started.versions
  }

  /** @throws {HostError} the errors of opening a host and creating a server */
  static async start(parts: ReloadingParts, read: ReadServer): Promise<ReloadableServer> {
    const versions = new PluginVersions()
    const { opened, options } = await openServer(parts.place, read, { ...parts, versions })
    try {
      reportDiagnostics(opened.diagnostics)
      const server = await createServer({ ...options, ...(await pageOption(read.config)) })
      return new ReloadableServer(parts, read.config, { server, opened, versions })
    } catch (error) {
      await opened.host.close()
      throw error
    }
  }

  /** Reads the config once more, after reloads that are in progress. The log says what came of it. */
  reload(): Promise<void> {
    this.#last = this.#last.then(() => this.#tryReload())
    return this.#last
  }

  /** Closes the server and all hosts. */
  async close(): Promise<void> {
    await this.#last
    await this.server.close()
    await Promise.all([...this.#earlier, this.#opened.host.close()])
  }

  async #tryReload(): Promise<void> {
    const { place, log } = this.#parts
    try {
      const read = await readServer(place)
      await this.#replace(read)
      this.#tellFixed(read.config)
      log({ level: 'info', message: 'The config was reloaded. It applies to new requests.' })
    } catch (error) {
      const { code, message, pointer } = toHostError(error)
      log({
        level: 'error',
        message: `The config was not reloaded, and the earlier one stays in force: ${message}`,
        code,
        ...(pointer === undefined ? {} : { pointer }),
      })
    }
  }

  async #replace(read: ReadServer): Promise<void> {
    const versions = this.#versions
    const { storage } = this.#parts
    versions.look(this.#opened.entries)
    const { opened, options } = await openServer(this.#parts.place, read, {
      ...this.#parts,
      versions,
    })
    try {
      this.#tellFaults(opened)
      const { agents } = read.config
      await assertSound(opened.host, read.config, await agentNames(opened, agents, storage))
      const { base_path: basePath } = this.#first
      const path = basePath === undefined ? {} : { basePath }
      const page = await pageOption(read.config)
      const { left } = await this.server.reload({ ...omitPath(options), ...path, ...page })
      this.#closeLater(this.#opened.host, left)
      this.#opened = opened
    } catch (error) {
      await opened.host.close()
      throw error
    }
  }

  /**
   * Tells the plugins that cannot be loaded, as a start does.
   * @throws {HostError} for one that was not told before: without it, the new config does less than it says
   */
  #tellFaults({ diagnostics }: OpenHost): void {
    const before = this.#opened.diagnostics.map(({ message }) => message)
    for (const { level, code, message } of diagnostics) {
      if (level !== 'error') continue
      if (!before.includes(message)) throw new HostError(code, message)
      this.#parts.log({ level, message, code })
    }
  }

  #closeLater(host: Host, left: Promise<void>): void {
    const closing = left
      .then(() => host.close())
      .catch((error: unknown) => {
        this.#parts.log({ level: 'error', message: messageOf(error) })
      })
      .finally(() => this.#earlier.delete(closing))
    this.#earlier.add(closing)
  }

  #tellFixed(config: ServerConfig): void {
    for (const key of FIXED) {
      if (isDeepStrictEqual(config[key], this.#first[key])) continue
      const message = `"server.${key}" has changed. It takes effect only after a restart.`
      this.#parts.log({ level: 'warn', message, pointer: `/server/${key}` })
    }
  }
}

interface Started {
  readonly server: BraidworkServer
  readonly opened: OpenHost
  readonly versions: PluginVersions
}

function omitPath({ basePath: _, ...options }: ServerOptions): ServerOptions {
  return options
}

/**
 * Checks what a start only warns of: a server that works must not be replaced by one that refuses requests.
 * @throws {HostError} SETTINGS_INVALID, MODEL_UNPUBLISHED
 */
async function assertSound(
  host: Host,
  config: ServerConfig,
  agents: readonly string[],
): Promise<void> {
  const [setting] = await host.settingsFaults()
  if (setting) throw setting
  const fault = (await tokenFaults(host, config, agents)).find(({ level }) => level === 'error')
  if (!fault) return
  const { code, message, pointer } = fault
  throw new HostError(code, message, { pointer })
}

async function pageOption({ page }: ServerConfig): Promise<Pick<ServerOptions, 'page'>> {
  return page === false ? {} : { page: await pageFiles() }
}
