import { type OpenHost, type OpenOptions, openHost } from '../open-host.ts'
import type { ConfigOptions } from '../options.ts'
import { PluginVersions } from '../plugin-versions.ts'

/** What the host is opened with, also when it is opened again. */
type Kept = Pick<OpenOptions, 'wrap' | 'log' | 'pythonLog'>

/** A host that reloads the plugins whose files changed, on request. */
export class WatchedHost {
  readonly #options: ConfigOptions
  readonly #kept: Kept
  readonly #versions = new PluginVersions()
  #current: OpenHost

  private constructor(current: OpenHost, options: ConfigOptions, kept: Kept) {
    this.#current = current
    this.#options = options
    this.#kept = kept
    this.#versions.look(current.entries)
  }

  static async open(options: ConfigOptions, kept: Kept = {}): Promise<WatchedHost> {
    return new WatchedHost(await openHost(options, kept), options, kept)
  }

  get current(): OpenHost {
    return this.#current
  }

  /** Reopens the host if a plugin changed. @returns the modules of the changed plugins */
  async refresh(): Promise<readonly string[]> {
    const changed = this.#versions.look(this.#current.entries)
    if (changed.length === 0) return changed
    const opened = await openHost(
      { ...this.#options, isWatched: true },
      { ...this.#kept, versions: this.#versions.of },
    )
    await this.close()
    this.#current = opened
    this.#versions.look(opened.entries)
    return changed
  }

  close(): Promise<void> {
    return this.#current.host.close()
  }
}
