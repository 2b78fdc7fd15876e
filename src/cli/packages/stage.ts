import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { removeLeftovers } from '@braidwork/python/internal'
import { stageFromNpm } from './from-npm.ts'
import { stageFromPypi } from './from-pypi.ts'
import { packagesFolder } from './places.ts'
import { isOfPypi, type PackageSpec } from './spec.ts'
import type { Staged } from './staged.ts'

/** The prefix of folders in which packages are installed; the process id follows. */
const STAGING = '.staging-'

/**
 * Installs a package from its registry into a new folder, and passes it on. The folder is removed afterwards, unless it
 * was moved.
 * @throws {HostError} PACKAGE_INSTALL_FAILED, NPM_MISSING, PYTHON_MISSING, ABORTED
 */
export async function withStaged<T>(
  spec: PackageSpec,
  signal: AbortSignal,
  use: (staged: Staged) => Promise<T>,
): Promise<T> {
  const parent = packagesFolder()
  await mkdir(parent, { recursive: true })
  await removeLeftovers(parent, STAGING)
  const installation = await mkdtemp(join(parent, `${STAGING}${process.pid}-`))
  try {
    const stage = isOfPypi(spec.name) ? stageFromPypi : stageFromNpm
    return await use(await stage(installation, spec, signal))
  } finally {
    await rm(installation, { recursive: true, force: true })
  }
}
