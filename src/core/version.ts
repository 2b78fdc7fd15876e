import { HostError } from '@braidwork/plugin'

/** The version of this package, which all packages of Braidwork have. */
export const VERSION = '0.1.0'

/** What is wrong with a package of Braidwork that has another version; nothing where it has the same. */
export function versionFault(name: string, version: string): string | undefined {
  if (version === VERSION) return undefined
  return `The package "${name}" is ${version}, and "@braidwork/core" is ${VERSION}. Run "npm install ${name}@${VERSION}".`
}

/**
 * Refuses a host that was made by another version of this package than the one that the asking package imports.
 * @throws {HostError} PACKAGE_MISMATCH
 */
export function assertSameVersion(
  host: { readonly version?: string | undefined },
  asking: string,
): void {
  const { version } = host
  if (version === undefined || version === VERSION) return
  throw new HostError(
    'PACKAGE_MISMATCH',
    `The package "${asking}" works with "@braidwork/core" ${VERSION}, and the host is of "@braidwork/core" ${version}. Run "npm install ${asking}@${version}".`,
  )
}
