import { HostError } from '@braidwork/plugin'

/** The version of this package, which all packages of Braidwork have. */
export const VERSION = '0.1.0'

/** The warning about a Braidwork package with another version. Undefined if the versions are the same. */
export function versionFault(name: string, version: string): string | undefined {
  if (version === VERSION) return undefined
  return `The package "${name}" is ${version}, and "@braidwork/core" is ${VERSION}. Run "npm install ${name}@${VERSION}".`
}

/**
 * Refuses a host that another version of this package created.
 * @param asking the name of the package that works with the host
 * @throws {HostError} PACKAGE_MISMATCH, OPTION_INVALID
 */
export function assertSameVersion(
  host: { readonly version?: string | undefined },
  asking: string,
): void {
  if (Object(host) !== host || host instanceof Promise) {
    const message = `The package "${asking}" needs a host, the result of "await createHost(…)".`
    throw new HostError('OPTION_INVALID', message, { pointer: '/host' })
  }
  const { version } = host
  if (version === undefined || version === VERSION) return
  throw new HostError(
    'PACKAGE_MISMATCH',
    `The package "${asking}" works with "@braidwork/core" ${VERSION}, but "@braidwork/core" ${version} created the host. Run "npm install ${asking}@${version}".`,
  )
}
