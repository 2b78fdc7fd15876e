import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
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
  await removeLeftovers(parent)
  const installation = await mkdtemp(join(parent, `${STAGING}${process.pid}-`))
  try {
    const stage = isOfPypi(spec.name) ? stageFromPypi : stageFromNpm
    return await use(await stage(installation, spec, signal))
  } finally {
    await rm(installation, { recursive: true, force: true })
  }
}

/** Removes the folders of processes that were killed. */
async function removeLeftovers(parent: string): Promise<void> {
  const names = (await readdir(parent)).filter((name) => name.startsWith(STAGING))
  const left = names.filter((name) => !isRunning(Number.parseInt(name.slice(STAGING.length), 10)))
  await Promise.all(left.map((name) => rm(join(parent, name), { recursive: true, force: true })))
}

function isRunning(processId: number): boolean {
  try {
    return process.kill(processId, 0)
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
