import { versionOf } from '@braidwork/core/internal'

/** Notices plugins whose files changed since they were loaded, so that their new code can be loaded beside the old. */
export class PluginVersions {
  /** The modification time of each loaded plugin's files, by module. */
  readonly #seen = new Map<string, number>()
  /** Version numbers of plugins that changed since the program began. */
  readonly #versions = new Map<string, number>()

  /** The version to load of a module. Undefined for one that has not changed. */
  readonly of = (entry: string): number | undefined => this.#versions.get(entry)

  /** Looks at modules of plugins. Returns those that changed since the last look. */
  look(entries: readonly string[]): readonly string[] {
    const changed = entries.filter((entry) => {
      const version = versionOf(entry)
      const isChanged = this.#seen.has(entry) && this.#seen.get(entry) !== version
      this.#seen.set(entry, version)
      return isChanged
    })
    for (const entry of changed) this.#versions.set(entry, this.#seen.get(entry) ?? 0)
    return changed
  }
}
