import { existsSync, realpathSync, type Stats, statSync } from 'node:fs'
import { dirname, isAbsolute, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readPackageJson, workspaceFolders } from './package-json.ts'

/** The name of the package that contains the host. */
const HOST = 'braidwork'

/**
 * The folder of the running `braidwork` package: the package that contains this file if it is bundled into the command,
 * else the one installed beside it. Undefined if a program has installed only parts of braidwork.
 */
export function hostFolder(): string | undefined {
  const own = ownFolder()
  for (const folder of own === undefined ? [] : upwards(own)) {
    if (readPackageJson(folder)?.['name'] === HOST) return folder
    const installed = join(folder, 'node_modules', HOST)
    if (existsSync(join(installed, 'package.json'))) return realpathSync(installed)
  }
  return undefined
}

/** The folder of this file. Undefined where a bundler made CommonJS of it, which has no URL of a module. */
export function ownFolder(): string | undefined {
  const own: string | undefined = import.meta.url
  return own?.startsWith('file:') ? dirname(fileURLToPath(own)) : undefined
}

/** The folder that contains `braidwork`: in a checkout the root of the workspaces, else the package's own folder. */
export function hostRoot(): string | undefined {
  const host = hostFolder()
  if (host === undefined) return undefined
  const root = upwards(dirname(host)).find((folder) => hasWorkspace(folder, host))
  return root ?? host
}

function hasWorkspace(folder: string, workspace: string): boolean {
  const workspaces = readPackageJson(folder)?.['workspaces']
  return workspaces !== undefined && workspaceFolders(folder, workspaces).includes(workspace)
}

/** Whether a reference to a plugin is a path, and not the name of a package. */
export function isPath(reference: string): boolean {
  return (
    /^\.{0,2}[\\/]/.test(reference) ||
    isAbsolute(reference) ||
    reference === '.' ||
    reference === '..'
  )
}

/** The folder of an installed package. It is searched in `node_modules` of this folder and of its parents. */
export function packageFolder(name: string, from: string): string | undefined {
  for (const folder of upwards(from)) {
    const candidate = join(folder, 'node_modules', name)
    if (existsSync(join(candidate, 'package.json'))) return candidate
  }
  return undefined
}

/** The folder of a workspace, by package name. It is searched in the nearest package.json that has workspaces. */
export function workspaceFolder(name: string, from: string): string | undefined {
  for (const folder of upwards(from)) {
    const workspaces = readPackageJson(folder)?.['workspaces']
    if (workspaces === undefined) continue
    return workspaceFolders(folder, workspaces).find(
      (one) => readPackageJson(one)?.['name'] === name,
    )
  }
  return undefined
}

/** The nearest folder with a package.json, from this one upwards. */
export function nearestPackage(from: string): string | undefined {
  return upwards(from).find((folder) => existsSync(join(folder, 'package.json')))
}

export function isFolder(path: string): boolean {
  return statsOf(path)?.isDirectory() === true
}

/** Whether the path is a regular file, or a link to one. */
export function isFile(path: string): boolean {
  return statsOf(path)?.isFile() === true
}

function statsOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch {
    // A part of the path is not a folder, or access to it is denied.
    return undefined
  }
}

/** A folder and its parents, the nearest first. */
export function upwards(from: string): string[] {
  const folders = [resolve(from)]
  for (let at = resolve(from); dirname(at) !== at; ) {
    at = dirname(at)
    folders.push(at)
  }
  return folders
}

/** A path without symbolic links; the path itself, if there is none. The attempt to read it reports the error. */
export function realPathOr(path: string): string {
  try {
    return realpathSync.native(path)
  } catch {
    return path
  }
}
