import type { Diagnostic } from '@braidwork/plugin'
import { loadedVersions } from '@braidwork/plugin/internal'
import { VERSION, versionFault } from '../version.ts'
import type { ManifestPlugin, PackagedPlugin } from './manifest.ts'

/** Packages of Braidwork have one version; those of others have versions of their own. */
const SHIPPED = /^@braidwork\//

/** What is wrong with the version of a plugin's package. */
export function versionFaults(plugin: ManifestPlugin | PackagedPlugin): readonly Diagnostic[] {
  if (!('package' in plugin) || !SHIPPED.test(plugin.package)) return []
  const message = versionFault(plugin.package, plugin.version)
  return message === undefined ? [] : [{ ...mismatch(message), plugin: plugin.name }]
}

/** Other versions of `@braidwork/plugin` that the process has loaded, as with plugins that a program imports. */
export function otherVersions(): readonly Diagnostic[] {
  const others = loadedVersions().filter((version) => version !== VERSION)
  if (others.length === 0) return []
  const versions = `This process has loaded "@braidwork/plugin" ${others.join(', ')}, and "@braidwork/core" is ${VERSION}.`
  const remedy = `"npm ls @braidwork/plugin" says which packages need it; install those at ${VERSION}.`
  return [mismatch(`${versions} ${remedy}`)]
}

function mismatch(message: string): Diagnostic {
  return { code: 'PACKAGE_MISMATCH', level: 'warning', message }
}
