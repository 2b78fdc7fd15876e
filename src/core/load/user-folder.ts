import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { homedir, userInfo } from 'node:os'
import { dirname, isAbsolute, join } from 'node:path'
import type { Variables } from '../config/index.ts'

/** The path of a user's config file, in the folder that the XDG Base Directory Specification defines. */
export function userFile(name: string, variables: Variables = process.env): string {
  const folder = folderOf('XDG_CONFIG_HOME', variables) ?? join(homeOf(variables), '.config')
  return join(folder, 'braidwork', name)
}

/** The path of a user's data file, in the folder that the XDG Base Directory Specification defines. */
export function userDataFile(name: string, variables: Variables = process.env): string {
  const folder = folderOf('XDG_DATA_HOME', variables) ?? join(homeOf(variables), '.local', 'share')
  return join(folder, 'braidwork', name)
}

/** The specification says that relative paths must be ignored. */
function folderOf(variable: string, variables: Variables): string | undefined {
  const folder = variables[variable] ?? ''
  return isAbsolute(folder) ? folder : undefined
}

/**
 * An empty `HOME` counts as none. The system may not list the user, as in a container: then `homedir` throws without the
 * variable.
 */
function homeOf(variables: Variables): string {
  return variables['HOME'] || homedir() || userInfo().homedir
}

/** Writes a file under a temporary name and renames it, so that readers never see half of it. */
export function replaceFile(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true })
  const written = `${path}.${process.pid}`
  writeFileSync(written, text)
  renameSync(written, path)
}
