import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Variables } from '@braidwork/core/internal'
import { HostError } from '@braidwork/plugin'
import { messageOf } from '@braidwork/plugin/internal'
import type { Python } from './find-python.ts'
import { type InstallOptions, installInto } from './install.ts'
import { withheld } from './installer-variables.ts'
import { removeLeftovers } from './leftovers.ts'
import { hasPackages, readNeeds } from './needs.ts'
import {
  assertVersion,
  faultOf,
  findVenv,
  MADE_FILE,
  type Venv,
  venvOf,
  venvsFolder,
} from './venvs.ts'

export interface MakeOptions extends InstallOptions {
  /** By default the host's own environment variables. */
  readonly variables?: Variables
}

/** The result of creating a venv. */
export interface MadeVenv {
  readonly outcome: 'made' | 'there' | 'not needed'
  readonly folder?: string
}

/** The prefix of folders in which venvs are being created; the process id follows. */
const MAKING = '.making-'

/**
 * Creates the venv for a plugin's folder if it does not exist. It is built in a temporary folder beside its place, and
 * moved there when it is complete.
 * @throws {HostError} PYTHON_INSTALL_FAILED, PYTHON_MISSING, MANIFEST_INVALID, ENV_MISSING, ABORTED
 */
export async function makeVenv(
  folder: string,
  base: Python,
  options: MakeOptions = {},
): Promise<MadeVenv> {
  const { variables = process.env } = options
  const needs = await readNeeds(folder)
  assertVersion(folder, needs, base)
  if (!hasPackages(needs)) return { outcome: 'not needed' }
  const there = await findVenv(needs, base, variables)
  if (there) return { outcome: 'there', folder: there.folder }
  const venv = venvOf(needs, base, variables)
  try {
    await make(venv, { ...options, variables })
  } catch (error) {
    throw installFailed(folder, error, withheld(variables, options.named ?? []))
  }
  return { outcome: 'made', folder: venv.folder }
}

/** Removes the user's own venv of a plugin's folder. @returns whether there was one */
export async function removeVenv(
  folder: string,
  base: Python,
  variables: Variables = process.env,
): Promise<boolean> {
  const needs = await readNeeds(folder)
  if (!hasPackages(needs)) return false
  const venv = venvOf(needs, base, variables)
  const isThere = (await faultOf(venv)) === undefined
  await rm(venv.folder, { recursive: true, force: true })
  return isThere
}

async function make(
  venv: Venv,
  options: MakeOptions & { readonly variables: Variables },
): Promise<void> {
  const parent = venvsFolder(options.variables)
  await mkdir(parent, { recursive: true })
  await removeLeftovers(parent, MAKING)
  const workshop = await mkdtemp(join(parent, `${MAKING}${process.pid}-`))
  try {
    const made = join(workshop, 'venv')
    await installInto(made, venv, options)
    const { packages, alone } = venv.needs
    const content = { python: venv.base, packages, alone }
    await writeFile(join(made, MADE_FILE), `${JSON.stringify(content, null, 2)}\n`)
    await moveInto(made, venv)
  } finally {
    await rm(workshop, { recursive: true, force: true })
  }
}

/** Replaces a broken venv. One that another process completed meanwhile is kept. */
async function moveInto(made: string, venv: Venv): Promise<void> {
  if (await faultOf(venv)) await rm(venv.folder, { recursive: true, force: true })
  try {
    await rename(made, venv.folder)
  } catch (error) {
    if (await faultOf(venv)) throw error
  }
}

function installFailed(folder: string, cause: unknown, names: readonly string[]): HostError {
  if (HostError.is(cause)) return cause
  const hint =
    names.length === 0
      ? ''
      : ` The installer did not get ${names.join(', ')}, which may contain secrets; "--env NAME" passes a variable.`
  return new HostError(
    'PYTHON_INSTALL_FAILED',
    `The virtual environment of "${folder}" could not be created, and its files were removed: ${messageOf(cause)}${hint}`,
    { cause },
  )
}
