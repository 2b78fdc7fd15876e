import { realpathSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import {
  isFolder,
  isPath,
  type PackageManifest,
  packageFolder,
  readManifest,
  realPathOr,
} from '@braidwork/core/internal'
import { HostError } from '@braidwork/plugin'
import { discoverHere } from '../discover-here.ts'

/** The manifest of a package that a path names, or of one that is installed or found here. Undefined for an unknown name. */
export function manifestHere(reference: string): PackageManifest | undefined {
  if (isPath(reference)) return manifestOf(resolve(reference))
  const found = () => discoverHere().plugins.find(({ name }) => name === reference)
  const folder = packageFolder(reference, process.cwd()) ?? found()?.folder
  return folder === undefined ? undefined : manifestOf(folder)
}

/**
 * The path by which a folder with plugins is recorded. A package in `node_modules` may be a link to the folder of one
 * version, as pnpm makes it: its place there stays, whichever version it leads to.
 */
export function placeOf(reference: string, { folder, package: name }: PackageManifest): string {
  const path = isPath(reference) ? resolve(reference) : packageFolder(name, process.cwd())
  if (path === undefined || realPathOr(path) !== folder) return folder
  const scope = dirname(path)
  const modules = basename(scope).startsWith('@') ? dirname(scope) : scope
  if (basename(modules) !== 'node_modules') return folder
  return join(realPathOr(modules), path.slice(modules.length))
}

/** The manifest of a folder with plugins. @throws {HostError} PLUGIN_UNKNOWN, MANIFEST_INVALID */
export function manifestOf(path: string): PackageManifest {
  if (!isFolder(path)) {
    throw new HostError(
      'PLUGIN_UNKNOWN',
      `There is no folder "${path}". A path must name a folder. List a single module in "plugins" of a config instead.`,
    )
  }
  const folder = realpathSync(path)
  const manifest = readManifest(folder)
  if (manifest && manifest.plugins.length > 0) return manifest
  const [fault] = manifest?.diagnostics ?? []
  if (fault) throw new HostError('MANIFEST_INVALID', fault.message, { pointer: fault.pointer })
  throw new HostError(
    'MANIFEST_INVALID',
    `"${folder}" has no package.json with plugins under "braidwork", and no pyproject.toml with [tool.braidwork]; docs/packages.md in the package braidwork shows both.`,
  )
}

/** Whether a path, a package or a plugin that a person names is that of an added folder. */
export function isMeant(folder: string, reference: string): boolean {
  if (isPath(reference)) {
    const path = resolve(reference)
    return folder === path || (isFolder(path) && realPathOr(folder) === realpathSync(path))
  }
  const { package: name, plugins = [] } = readableManifest(folder) ?? {}
  if (folder.endsWith(join('/node_modules', reference))) return true
  return name === reference || plugins.some((plugin) => plugin.name === reference)
}

/** A folder that is gone or whose manifest has a fault is not meant by the names in it, and hides no other one. */
function readableManifest(folder: string): PackageManifest | undefined {
  try {
    return manifestOf(folder)
  } catch (error) {
    if (HostError.is(error)) return undefined
    throw error
  }
}
