import { versionOf } from '@braidwork/core/internal'
import { type OpenHost, type OpenOptions, openHost } from './open-host.ts'
import type { ConfigOptions } from './options.ts'

type Wrap = OpenOptions['wrap']

/** A host that reloads the plugins whose files changed, on request. */
export class WatchedHost {
  readonly #options: ConfigOptions
  readonly #wrap: Wrap
  /** The modification time of each loaded plugin's files, by module. */
  readonly #seen = new Map<string, number>()
  /** Version numbers of plugins that changed since the program began. */
  readonly #versions = new Map<string, number>()
  #current: OpenHost

  private constructor(current: OpenHost, options: ConfigOptions, wrap: Wrap) {
    this.#current = current
    this.#options = options
    this.#wrap = wrap
    this.#look()
  }

  static async open(options: ConfigOptions, wrap?: Wrap): Promise<WatchedHost> {
    return new WatchedHost(await openHost(options, wrap ? { wrap } : {}), options, wrap)
  }

  get current(): OpenHost {
    return this.#current
  }

  /** Reopens the host if a plugin changed. @returns the modules of the changed plugins */
  async refresh(): Promise<readonly string[]> {
    const changed = this.#look()
    if (changed.length === 0) return changed
    for (const entry of changed) this.#versions.set(entry, this.#seen.get(entry) ?? 0)
    const versions = (entry: string) => this.#versions.get(entry)
    const opened = await openHost(
      { ...this.#options, isWatched: true },
      {
        ...(this.#wrap ? { wrap: this.#wrap } : {}),
        versions,
      },
    )
    await this.close()
    this.#current = opened
    this.#look()
    return changed
  }

  close(): Promise<void> {
    return this.#current.host.close()
  }

  /** The modules of plugins that changed since the last look. */
  #look(): readonly string[] {
    return this.#current.entries.filter((entry) => {
      const version = versionOf(entry)
      const isChanged = this.#seen.has(entry) && this.#seen.get(entry) !== version
      this.#seen.set(entry, version)
      return isChanged
    })
  }
}
