import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { HostError } from '@braidwork/plugin'
import { runNpm } from '../npm.ts'
import { npmFault } from './npm-fault.ts'
import { packageIn, packagesFolder } from './places.ts'
import type { PackageSpec } from './spec.ts'

/** A package that npm installed beside its place, with its dependencies. */
export interface Staged {
  readonly name: string
  readonly version: string
  readonly integrity: string
  /** The folder in which npm ran. */
  readonly installation: string
  /** The folder of the package. */
  readonly folder: string
  /** All packages, with this one. */
  readonly packages: readonly InstalledPackage[]
}

export interface InstalledPackage {
  readonly name: string
  readonly version: string
  readonly folder: string
  readonly hasInstallScript: boolean
  /** True for one that others can do without. */
  readonly isOptional: boolean
}

/** A package in the lockfile of npm, by its folder. */
interface Locked {
  readonly version?: string
  readonly integrity?: string
  readonly hasInstallScript?: boolean
  readonly optional?: boolean
}

/** The prefix of folders in which npm installs; the process id follows. */
const STAGING = '.staging-'
const INSTALL = ['install', '--ignore-scripts', '--omit=dev', '--no-audit', '--no-fund']
const QUIET = ['--no-progress', '--loglevel=error']

/**
 * Installs a package from the registry of npm's configuration into a new folder, without running install scripts, and
 * passes it on. The folder is removed afterwards, unless it was moved.
 * @throws {HostError} PACKAGE_INSTALL_FAILED, NPM_MISSING, ABORTED
 */
export async function withStaged<T>(
  { name, range = 'latest' }: PackageSpec,
  signal: AbortSignal,
  use: (staged: Staged) => Promise<T>,
): Promise<T> {
  const parent = packagesFolder()
  await mkdir(parent, { recursive: true })
  await removeLeftovers(parent)
  const installation = await mkdtemp(join(parent, `${STAGING}${process.pid}-`))
  try {
    const json = { private: true, dependencies: { [name]: range } }
    await writeFile(join(installation, 'package.json'), `${JSON.stringify(json, null, 2)}\n`)
    const { status, out, err } = await runNpm([...INSTALL, ...QUIET], { cwd: installation, signal })
    if (status !== 0) throw npmFault(`${name}@${range}`, `${err}\n${out}`)
    return await use(await readStaged(installation, name))
  } finally {
    await rm(installation, { recursive: true, force: true })
  }
}

async function readStaged(installation: string, name: string): Promise<Staged> {
  const text = await readFile(join(installation, 'package-lock.json'), 'utf8')
  const { packages } = JSON.parse(text) as {
    readonly packages: { readonly [path: string]: Locked }
  }
  const { version, integrity } = packages[`node_modules/${name}`] ?? {}
  if (version === undefined || integrity === undefined) {
    throw new HostError(
      'PACKAGE_INSTALL_FAILED',
      `The registry gives no version or no hash of "${name}", so its content cannot be checked. Nothing was changed.`,
    )
  }
  const installed = Object.entries(packages).filter(([path]) => path !== '')
  return {
    name,
    version,
    integrity,
    installation,
    folder: packageIn(installation, name),
    packages: installed.map(([path, locked]) => ({
      name: path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length),
      version: locked.version ?? '',
      folder: join(installation, path),
      hasInstallScript: locked.hasInstallScript === true,
      isOptional: locked.optional === true,
    })),
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
