import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { HostError } from '@braidwork/plugin'
import { runNpm } from '../npm.ts'
import { npmFault } from './npm-fault.ts'
import { isStandIn, linkOwnHost, makeStandIns } from './own-host.ts'
import { packageIn } from './places.ts'
import type { PackageSpec } from './spec.ts'
import type { Staged } from './staged.ts'

/** A package in the lockfile of npm, by its folder. */
interface Locked {
  readonly version?: string
  readonly integrity?: string
  readonly hasInstallScript?: boolean
  readonly optional?: boolean
  readonly dependencies?: object
  readonly optionalDependencies?: object
  readonly peerDependencies?: object
  /** Where a link leads. */
  readonly resolved?: string
  readonly link?: boolean
}

const INSTALL = ['install', '--ignore-scripts', '--omit=dev', '--no-audit', '--no-fund']
const QUIET = ['--no-progress', '--loglevel=error']

/**
 * Installs a package from the registry of npm's configuration into an empty folder, without running install scripts.
 * @throws {HostError} PACKAGE_INSTALL_FAILED, NPM_MISSING, ABORTED
 */
export async function stageFromNpm(
  installation: string,
  { name, range = 'latest' }: PackageSpec,
  signal: AbortSignal,
): Promise<Staged> {
  const { [name]: _, ...overrides } = await makeStandIns(installation)
  const json = { private: true, dependencies: { [name]: range }, overrides }
  await writeFile(join(installation, 'package.json'), `${JSON.stringify(json, null, 2)}\n`)
  const { status, out, err } = await runNpm([...INSTALL, ...QUIET], { cwd: installation, signal })
  if (status !== 0) throw npmFault(`${name}@${range}`, `${err}\n${out}`)
  return readStaged(installation, name)
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
  const all = Object.entries(packages).filter(([path]) => path !== '' && !isStandIn(path))
  const isLink = ({ link, resolved = '' }: Locked) => link === true && isStandIn(resolved)
  const links = all.flatMap(([path, locked]) => (isLink(locked) ? [path] : []))
  await linkOwnHost(installation, links)
  // The lockfile also lists optional packages for other platforms, which npm does not install.
  const isThere = ([path, { optional }]: (typeof all)[number]) =>
    optional !== true || existsSync(join(installation, path))
  const installed = all.filter((one) => !links.includes(one[0]) && isThere(one))
  return {
    name,
    version,
    integrity,
    installation,
    folder: packageIn(installation, name),
    packages: installed.map(([path, locked]) => ({
      name: nameAt(path),
      neededBy: neederOf(nameAt(path), installed),
      version: locked.version ?? '',
      folder: join(installation, path),
      hasInstallScript: locked.hasInstallScript === true,
      isOptional: locked.optional === true,
    })),
  }
}

function nameAt(path: string): string {
  return path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
}

function neederOf(name: string, all: readonly (readonly [string, Locked])[]): string | undefined {
  const needer = all.find(([, { dependencies, optionalDependencies, peerDependencies }]) =>
    Object.hasOwn({ ...peerDependencies, ...optionalDependencies, ...dependencies }, name),
  )
  return needer && nameAt(needer[0])
}
