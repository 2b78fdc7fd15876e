import { isObject } from '@braidwork/plugin'
import { hostFolder, packageFolder } from './locate.ts'
import { readPackageJson } from './package-json.ts'
import { shippedPackage } from './shipped-packages.ts'

/** A plugin package among the dependencies of `braidwork`. */
interface BundledPackage {
  readonly name: string
  /** Absent if it is not installed. */
  readonly folder?: string
}

/** The names of the plugin packages among the dependencies of `braidwork`. */
const PLUGIN_PACKAGE = /^@braidwork\/(provider|extension|feature|tool)-/

/** The packages of the bundled plugins, at the place where the host's own packages are installed. */
export function bundledPackages(): readonly BundledPackage[] {
  const host = hostFolder()
  if (host === undefined) return []
  const dependencies = readPackageJson(host)?.['dependencies']
  const names = Object.keys(isObject(dependencies) ? dependencies : {})
  return names
    .filter((name) => PLUGIN_PACKAGE.test(name))
    .map((name) => {
      const folder = packageFolder(name, host)
      return folder === undefined ? { name } : { name, folder }
    })
}

/**
 * The package of a bundled plugin, by the plugin's name or its own. No package of another folder takes its place: many a
 * package of npm has the name of a plugin.
 */
export function bundledPackage(reference: string): string | undefined {
  const shipped = shippedPackage(reference)
  if (shipped === undefined) return undefined
  return bundledPackages().find(({ name }) => name === shipped)?.folder
}
