import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { homedir, userInfo } from 'node:os'
import { delimiter, dirname, isAbsolute, join } from 'node:path'
import { HostError } from '@braidwork/plugin'
import type { Variables } from '../config/index.ts'

type HomeVariable = 'XDG_CONFIG_HOME' | 'XDG_DATA_HOME'

/**
 * The path of a user's config file, in the folder that the XDG Base Directory Specification defines. Undefined if the
 * user has no home folder, so that there is no such file.
 */
export function userFile(name: string, variables: Variables = process.env): string | undefined {
  return fileIn('XDG_CONFIG_HOME', ['.config'], variables, name)
}

/** The path of a user's data file, like {@link userFile}. */
export function userDataFile(name: string, variables: Variables = process.env): string | undefined {
  return fileIn('XDG_DATA_HOME', ['.local', 'share'], variables, name)
}

/** The paths of a data file of all users, in the order in which the specification searches them. */
export function sharedDataFiles(
  name: string,
  variables: Variables = process.env,
): readonly string[] {
  const folders = (variables['XDG_DATA_DIRS'] || SHARED_FOLDERS).split(delimiter)
  return folders.filter((folder) => isAbsolute(folder)).map((one) => join(one, 'braidwork', name))
}

const SHARED_FOLDERS = ['/usr/local/share', '/usr/share'].join(delimiter)

/**
 * The path of a file of the user that is needed.
 * @param variable - the variable that names its folder
 * @param other - what else gives it a place, such as a key of the config
 * @throws {HostError} ENV_MISSING if the user has no home folder
 */
export function neededFile(
  path: string | undefined,
  variable: HomeVariable,
  other?: string,
): string {
  if (path !== undefined) return path
  const kept = variable === 'XDG_CONFIG_HOME' ? 'your own config' : 'your data'
  throw new HostError(
    'ENV_MISSING',
    `There is no folder for ${kept}, because the user of this process has no home folder. Set HOME, or ${variable} to the path of a folder${other === undefined ? '' : `, or ${other}`}.`,
  )
}

function fileIn(
  variable: HomeVariable,
  below: readonly string[],
  variables: Variables,
  name: string,
): string | undefined {
  const folder = folderOf(variable, variables)
  const own = folder ?? homeOf(variables)
  if (own === undefined) return undefined
  return join(own, ...(folder === undefined ? below : []), 'braidwork', name)
}

/** The specification says that relative paths must be ignored. */
function folderOf(variable: string, variables: Variables): string | undefined {
  const folder = variables[variable] ?? ''
  return isAbsolute(folder) ? folder : undefined
}

/** An empty `HOME` counts as none. */
function homeOf(variables: Variables): string | undefined {
  try {
    return variables['HOME'] || homedir() || userInfo().homedir
  } catch {
    // The system does not list the user, as in a container that runs under another id.
    return undefined
  }
}

/**
 * Writes a file of the user's config under a temporary name and renames it, so that readers never see half of it.
 * @throws {HostError} ENV_MISSING if it has no path, because the user has no home folder
 */
export function replaceFile(file: string | undefined, text: string): void {
  const path = neededFile(file, 'XDG_CONFIG_HOME')
  mkdirSync(dirname(path), { recursive: true })
  const written = `${path}.${process.pid}`
  writeFileSync(written, text)
  renameSync(written, path)
}
