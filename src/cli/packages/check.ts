import { existsSync } from 'node:fs'
import { join } from 'node:path'
import {
  type PackagedPlugin,
  type PackageManifest,
  readManifest,
  readPackageJson,
  realPathOr,
} from '@braidwork/core/internal'
import { HostError, isObject, VERSION } from '@braidwork/plugin'
import { readLock } from './lock.ts'
import { HOSTS } from './own-host.ts'
import type { InstalledPackage, Staged } from './staged.ts'
import { isExcluded } from './version-range.ts'

/** What is there where a native package was compiled by its author. */
const COMPILED = ['prebuilds', 'build/Release']

/**
 * Checks whether a package can be added.
 * @param found - the plugins that are found without it
 * @returns its manifest
 * @throws {HostError} MANIFEST_INVALID, PLUGIN_NAME_TAKEN, PACKAGE_MISMATCH, PACKAGE_INSTALL_FAILED
 */
export function checkStaged(staged: Staged, found: readonly PackagedPlugin[]): PackageManifest {
  const manifest = manifestOf(staged)
  const [fault] = manifest?.diagnostics ?? []
  if (fault) throw invalid(staged, fault.message)
  if (!manifest || manifest.plugins.length === 0) {
    throw invalid(staged, 'it has no plugins under "braidwork" in its package.json')
  }
  for (const one of staged.packages) assertFitsHost(one.folder, nameOf(staged, one))
  assertCompiled(staged)
  const { name, version } = staged
  const isUpdate = Object.hasOwn(readLock(), name)
  const others = found.filter((one) => !isUpdate || one.package !== name)
  assertNamesFree(`${name}@${version}`, manifest.plugins, others)
  return manifest
}

/** Checks whether a folder with plugins can be added. @throws {HostError} PLUGIN_NAME_TAKEN, PACKAGE_MISMATCH */
export function checkFolder(
  { folder, plugins }: PackageManifest,
  found: readonly PackagedPlugin[],
): void {
  assertFitsHost(folder)
  const others = found.filter((one) => realPathOr(one.folder) !== folder)
  assertNamesFree(folder, plugins, others)
}

function assertNamesFree(
  added: string,
  plugins: PackageManifest['plugins'],
  others: readonly PackagedPlugin[],
): void {
  for (const { name } of plugins) {
    const other = others.find((one) => one.name === name)
    if (other === undefined) continue
    throw new HostError(
      'PLUGIN_NAME_TAKEN',
      `"${added}" has a plugin "${name}", but ${other.package} in "${other.folder}" has one of that name. Only one of them could be on, so nothing was changed.`,
    )
  }
}

/** A package gets this host, but may say that it needs another version. */
function assertFitsHost(folder: string, name = `"${folder}"`): void {
  const json = readPackageJson(folder)
  for (const member of ['dependencies', 'peerDependencies']) {
    const ranges = isObject(json?.[member]) ? json[member] : {}
    for (const host of HOSTS) {
      const range = ranges[host]
      if (typeof range !== 'string' || !isExcluded(VERSION, range)) continue
      throw new HostError(
        'PACKAGE_MISMATCH',
        `${name} needs ${host} "${range}" ("${member}" in its package.json), but this is braidwork ${VERSION}. Nothing was changed. Choose a version of the plugin for this one, use another braidwork, or correct the range.`,
      )
    }
  }
}

function nameOf(staged: Staged, { name, version }: InstalledPackage): string {
  const own = `"${staged.name}@${staged.version}"`
  return name === staged.name ? own : `${own} brings ${name}@${version}, which`
}

/** @throws {HostError} MANIFEST_INVALID, without the folder that is about to go */
function manifestOf(staged: Staged): PackageManifest | undefined {
  try {
    return readManifest(staged.folder)
  } catch (error) {
    throw HostError.is(error) ? invalid(staged, error.message) : error
  }
}

function assertCompiled({ name, version, packages }: Staged): void {
  const native = packages.find(
    ({ folder, isOptional }) =>
      !isOptional &&
      existsSync(join(folder, 'binding.gyp')) &&
      !COMPILED.some((path) => existsSync(join(folder, path))),
  )
  if (native === undefined) return
  throw new HostError(
    'PACKAGE_INSTALL_FAILED',
    `"${name}@${version}" needs ${native.name} ${native.version}, which has to be compiled by an install script. No install scripts are run here, so nothing was changed. Install it with npm into a folder of yours, then add it by its path: braidwork plugins add ./node_modules/${name}`,
  )
}

function invalid({ name, version, folder }: Staged, reason: string): HostError {
  const said = reason.replaceAll(` of "${folder}"`, '').replace(/\.$/, '')
  return new HostError(
    'MANIFEST_INVALID',
    `"${name}@${version}" is not a package of plugins: ${said}. Nothing was changed.`,
  )
}
