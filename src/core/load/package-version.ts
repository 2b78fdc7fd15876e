import type { Diagnostic } from '@braidwork/plugin'
import { loadedVersions } from '@braidwork/plugin/internal'
import { VERSION, versionFault } from '../version.ts'
import type { ManifestPlugin, PackagedPlugin } from './manifest.ts'

/** All packages of Braidwork have the same version. Plugin packages of other authors have versions of their own. */
const SHIPPED = /^@braidwork\//

/** Warns if a Braidwork plugin package has another version than this package. */
export function versionFaults(plugin: ManifestPlugin | PackagedPlugin): readonly Diagnostic[] {
  if (!('package' in plugin) || !SHIPPED.test(plugin.package)) return []
  const message = versionFault(plugin.package, plugin.version)
  return message === undefined ? [] : [{ ...mismatch(message), plugin: plugin.name }]
}

/** Warns of other versions of `@braidwork/plugin` in this process, which an imported plugin may bring along. */
export function otherVersions(): readonly Diagnostic[] {
  const others = loadedVersions().filter((version) => version !== VERSION)
  if (others.length === 0) return []
  const versions = `This process has loaded "@braidwork/plugin" ${others.join(', ')}, and "@braidwork/core" is ${VERSION}.`
  const remedy = `"npm ls @braidwork/plugin" lists the packages that need it; install version ${VERSION} of them.`
  return [mismatch(`${versions} ${remedy}`)]
}

function mismatch(message: string): Diagnostic {
  return { code: 'PACKAGE_MISMATCH', level: 'warning', message }
}
