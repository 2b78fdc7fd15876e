import { dirname, join } from 'node:path'
import { addedFile, neededFile } from '@braidwork/core/internal'
import { isOfPypi } from './spec.ts'

/** The folder of all installed packages, beside the list of the added plugins. @throws {HostError} ENV_MISSING */
export function packagesFolder(): string {
  return join(dirname(neededFile(addedFile(), 'XDG_CONFIG_HOME')), 'packages')
}

/** The folder in which a package was installed with what it needs. "+" is in no name of a package. */
export function installationOf(name: string): string {
  return join(packagesFolder(), name.replace(/[/:]/, '+'))
}

/** The folder of a package in an installation. */
export function packageIn(installation: string, name: string): string {
  return isOfPypi(name) ? join(installation, 'package') : join(installation, 'node_modules', name)
}
