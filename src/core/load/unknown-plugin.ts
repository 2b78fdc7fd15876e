import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { HostError } from '@braidwork/plugin'
import { missingPackage } from '@braidwork/plugin/internal'
import { didYouMean } from '../suggest.ts'
import { installedPlugins } from './discover.ts'
import { packageFolder, upwards } from './locate.ts'
import { type PackagedPlugin, packagedPlugins, readManifest } from './manifest.ts'
import { SHIPPED_PACKAGES, shippedPackage } from './shipped-packages.ts'

/** All plugins of the package that a `package/plugin` reference names. */
export function pluginsBeside(reference: string, place: string): readonly PackagedPlugin[] {
  const at = reference.lastIndexOf('/')
  const folder = at > 0 ? packageFolder(reference.slice(0, at), place) : undefined
  return folder === undefined ? [] : packagedPlugins(readManifest(folder))
}

/** The error for a name that no package has in these places, or that no plugin of its package has. */
export function unknownPlugin(reference: string, places: readonly string[]): HostError {
  const beside = places.map((place) => pluginsBeside(reference, place))
  const siblings = beside.find((plugins) => plugins.length > 0)?.map(({ name }) => `"${name}"`)
  const told = siblings
    ? `its package is here, but has no such plugin; it has ${siblings.join(', ')}`
    : `there is no package with that name in ${searched(places)}, and no bundled plugin.${hintFor(reference, places)}`
  return new HostError('PLUGIN_UNKNOWN', told)
}

function searched(places: readonly string[]): string {
  return `the node_modules of ${places.map((place) => `"${place}"`).join(', ')} or above`
}

/** Yarn without `node_modules`. */
const isPlugAndPlay = (place: string) =>
  upwards(place).some((folder) => existsSync(join(folder, '.pnp.cjs')))
const NO_MODULES =
  ' Yarn keeps packages without node_modules here (.pnp.cjs), where no name is found: import the plugin, and give the object to createHost, or set "nodeLinker: node-modules" in .yarnrc.yml'

function hintFor(reference: string, places: readonly string[]): string {
  const installed = places.flatMap(installedPlugins).find(({ name }) => name === reference)
  if (installed) return ` Use "${installed.package}", which is installed and has it`
  if (places.some(isPlugAndPlay)) return NO_MODULES
  const shipped = shippedPackage(reference)
  if (shipped !== undefined) return ` ${missingPackage('It needs', shipped)}`
  const meant = didYouMean(reference, SHIPPED_PACKAGES.keys())
  return `${meant} Install it, or give a path that begins with "./"`
}
