import { createHash } from 'node:crypto'
import { access, constants } from 'node:fs/promises'
import { join } from 'node:path'
import { neededFile, sharedDataFiles, userDataFile, type Variables } from '@braidwork/core/internal'
import { HostError } from '@braidwork/plugin'
import type { Python } from './find-python.ts'
import { hasPackages, type PythonNeeds, readNeeds } from './needs.ts'
import { meets } from './python-versions.ts'

/** The interpreter and import paths that a plugin runs with. */
export interface PluginPython {
  /** Plugins with the same key share an interpreter process. */
  readonly key: string
  readonly executable: string
  /** Folders that its modules are imported from, in addition to the interpreter's own. */
  readonly paths: readonly string[]
}

/** The venv for some packages, whether it exists or not. */
export interface Venv {
  readonly folder: string
  readonly executable: string
  readonly needs: PythonNeeds
  readonly base: Python
}

/** Marks a complete venv. It is written last, before the venv is moved to its final name. */
export const MADE_FILE = 'braidwork-environment.json'

/**
 * The interpreter for a plugin's folder: the base interpreter or, if the plugin needs packages, that of the venv which
 * `braidwork plugins add` created. Installs nothing.
 * @throws {HostError} PYTHON_MISSING (wrong version), PYTHON_ENVIRONMENT_MISSING, MANIFEST_INVALID
 */
export async function pluginPythonOf(
  folder: string,
  base: Python,
  variables: Variables = process.env,
): Promise<PluginPython> {
  return pluginPythonFor({ folder, needs: await readNeeds(folder) }, base, variables)
}

/** A plugin's folder and its requirements. */
export interface Project {
  readonly folder: string
  readonly needs: PythonNeeds
}

/** Like `pluginPythonOf`, for requirements that were read before. */
export async function pluginPythonFor(
  { folder, needs }: Project,
  base: Python,
  variables: Variables = process.env,
): Promise<PluginPython> {
  assertVersion(folder, needs, base)
  if (!hasPackages(needs))
    return { key: baseKey(needs), executable: base.executable, paths: [folder] }
  const venv = await findVenv(needs, base, variables)
  if (!venv) throw venvMissing(folder, needs, await absenceOf(needs, base, variables))
  const { executable } = venv
  return { key: hashOf([executable, needs.isolation]), executable, paths: [folder] }
}

/** The key of plugins that run in the base interpreter. */
export function baseKey({ isolation }: PythonNeeds): string {
  return hashOf(['', isolation])
}

/**
 * The user's own venv for requirements with packages, which may not exist.
 * @throws {HostError} ENV_MISSING if the user has no home folder
 */
export function venvOf(needs: PythonNeeds, base: Python, variables: Variables): Venv {
  return venvIn(venvsFolder(variables), needs, base)
}

/** The first venv for these requirements that can be used: the user's own, or one that all users share. */
export async function findVenv(
  needs: PythonNeeds,
  base: Python,
  variables: Variables,
): Promise<Venv | undefined> {
  for (const folder of venvsFolders(variables)) {
    const venv = venvIn(folder, needs, base)
    if ((await faultOf(venv)) === undefined) return venv
  }
  return undefined
}

function venvIn(parent: string, needs: PythonNeeds, base: Python): Venv {
  const { packages, alone } = needs
  const content = [base.executable, base.version, packages.toSorted(), alone.toSorted()]
  const folder = join(parent, hashOf(content))
  return { folder, executable: join(folder, 'bin', 'python'), needs, base }
}

const FOLDER = 'environments'

/**
 * The folder in which venvs are made. It is in the user's data folder, never in a plugin's.
 * @throws {HostError} ENV_MISSING if the user has no home folder
 */
export function venvsFolder(variables: Variables): string {
  return neededFile(userDataFile(FOLDER, variables), 'XDG_DATA_HOME')
}

/** The folders in which venvs are found: the user's, then those that all users share, such as in an image of a container. */
export function venvsFolders(variables: Variables): readonly string[] {
  return [userDataFile(FOLDER, variables) ?? [], sharedDataFiles(FOLDER, variables)].flat()
}

/** Why there is no venv that can be used. */
async function absenceOf(needs: PythonNeeds, base: Python, variables: Variables): Promise<string> {
  const own = userDataFile(FOLDER, variables)
  const fault = own && (await faultOf(venvIn(own, needs, base)))
  return (
    fault ??
    'would be in the home folder, and the user of this process has none. Set HOME or XDG_DATA_HOME'
  )
}

/** Why a venv cannot be used; `undefined` if it can. */
export async function faultOf({ folder, executable, base }: Venv) {
  if (!(await canRead(join(folder, MADE_FILE)))) {
    return `was not made for Python ${base.version} at "${base.executable}"`
  }
  const isRunnable = await canRead(executable, constants.X_OK)
  return isRunnable ? undefined : `has lost its interpreter "${executable}"`
}

/** @throws {HostError} PYTHON_MISSING if the plugin does not support the version of the base interpreter */
export function assertVersion(folder: string, { python }: PythonNeeds, base: Python): void {
  if (python === undefined || meets(base.version, python)) return
  throw new HostError(
    'PYTHON_MISSING',
    `"${folder}" needs Python ${python}, but "${base.executable}" is ${base.version}. Set PYTHON_BIN to another interpreter.`,
  )
}

function venvMissing(folder: string, needs: PythonNeeds, fault: string): HostError {
  const packages = [...needs.packages, ...needs.alone].join(', ')
  return new HostError(
    'PYTHON_ENVIRONMENT_MISSING',
    `"${folder}" needs Python packages (${packages}), but their virtual environment ${fault}. Create it with: braidwork plugins add ${quoted(folder)}`,
  )
}

/** A path quoted for a shell. */
export function quoted(path: string): string {
  return /^[\w@%+=:,./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`
}

async function canRead(path: string, mode = constants.R_OK): Promise<boolean> {
  try {
    await access(path, mode)
    return true
  } catch {
    return false
  }
}

function hashOf(content: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(content)).digest('hex').slice(0, 20)
}
