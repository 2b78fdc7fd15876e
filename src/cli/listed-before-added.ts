import { dirname } from 'node:path'
import {
  nearestPackage,
  type PackagedPlugin,
  readAdded,
  readManifest,
  realPath,
  realPathOr,
  usedElsewhere,
} from '@braidwork/core/internal'
import { type Diagnostic, HostError } from '@braidwork/plugin'

/** The plugins that were found, beside those that the config lists. */
interface Beside {
  readonly plugins: readonly PackagedPlugin[]
  readonly diagnostics: readonly Diagnostic[]
}

/**
 * Leaves out plugins that the config lists. An added plugin that the config lists from another place, as in a second
 * checkout, is left out with a note.
 * @param entries - the real paths of the modules that the config lists
 */
export function besideListed(
  found: readonly PackagedPlugin[],
  entries: ReadonlySet<string>,
): Beside {
  const others = found.filter(({ entry }) => !entries.has(realPath(entry)))
  const added = new Set(readAdded().folders.map(realPathOr))
  if (!others.some(({ folder }) => added.has(folder))) return { plugins: others, diagnostics: [] }
  const listed = new Map([...entries].flatMap(placeOf))
  const placeHere = (plugin: PackagedPlugin) =>
    added.has(plugin.folder) ? listed.get(keyOf(plugin.package, plugin.name)) : undefined
  const notes = others.flatMap((plugin) => {
    const place = placeHere(plugin)
    return place === undefined ? [] : [[plugin.folder, usedElsewhere(plugin, place)] as const]
  })
  return {
    plugins: others.filter((plugin) => placeHere(plugin) === undefined),
    diagnostics: [...new Map(notes).values()],
  }
}

/** The plugin of a module in its package, and the folder of the package. */
function placeOf(entry: string): readonly (readonly [string, string])[] {
  const folder = nearestPackage(dirname(entry))
  const { package: name = '', plugins = [] } = (folder && manifestOf(folder)) || {}
  const plugin = plugins.find((one) => realPath(one.entry) === entry)
  return folder === undefined || plugin === undefined ? [] : [[keyOf(name, plugin.name), folder]]
}

/** Faults of the manifest were told when the plugin was read. */
function manifestOf(folder: string) {
  try {
    return readManifest(folder)
  } catch (error) {
    if (HostError.is(error)) return undefined
    throw error
  }
}

function keyOf(packageName: string, plugin: string): string {
  return `${packageName}/${plugin}`
}
