import { existsSync, type Stats, statSync } from 'node:fs'
import { dirname, isAbsolute, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readPackageJson, workspaceFolders } from './package-json.ts'

/** The folder of the running host's own package: this file is two levels below it, built or not. */
export const HOST_FOLDER = resolve(dirname(fileURLToPath(import.meta.url)), '..', '..')

/** Whether a reference to a plugin is a path and not the name of a package. */
export function isPath(reference: string): boolean {
  return (
    /^\.{0,2}[\\/]/.test(reference) ||
    isAbsolute(reference) ||
    reference === '.' ||
    reference === '..'
  )
}

/** The folder of an installed package, looked for in node_modules from a folder upwards. */
export function packageFolder(name: string, from: string): string | undefined {
  for (const folder of upwards(from)) {
    const candidate = join(folder, 'node_modules', name)
    if (existsSync(join(candidate, 'package.json'))) return candidate
  }
  return undefined
}

/** The folder of a workspace by its package's name, of the nearest package.json that has workspaces. */
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

/** The nearest folder from here upwards that has a package.json. */
export function nearestPackage(from: string): string | undefined {
  return upwards(from).find((folder) => existsSync(join(folder, 'package.json')))
}

export function isFolder(path: string): boolean {
  return statsOf(path)?.isDirectory() === true
}

/** Whether there is a regular file, or a link to one. */
export function isFile(path: string): boolean {
  return statsOf(path)?.isFile() === true
}

function statsOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch {
    // What should be a folder on the way there is none, or is closed to us.
    return undefined
  }
}

/** A folder and those above it, the nearest first. */
export function upwards(from: string): string[] {
  const folders = [resolve(from)]
  for (let at = resolve(from); dirname(at) !== at; ) {
    at = dirname(at)
    folders.push(at)
  }
  return folders
}
