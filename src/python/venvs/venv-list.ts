import { access, constants, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Variables } from '@braidwork/core/internal'
import { isObject } from '@braidwork/plugin'
import { MADE_FILE, venvsFolders } from './venvs.ts'

/** A venv in the user's data folder, or in one that all users share. */
export interface ListedVenv {
  readonly folder: string
  readonly executable: string
  readonly packages: readonly string[]
  readonly fault?: string
}

/** All created venvs in order of name, the user's own first, with their faults. */
export async function readVenvs(
  variables: Variables = process.env,
): Promise<readonly ListedVenv[]> {
  const folders = await Promise.all(venvsFolders(variables).map(foldersIn))
  return Promise.all(folders.flat().map(readVenv))
}

async function foldersIn(parent: string): Promise<readonly string[]> {
  const names = await readdir(parent).catch((): string[] => [])
  const made = names.filter((name) => !name.startsWith('.')).toSorted()
  return made.map((name) => join(parent, name))
}

async function readVenv(folder: string): Promise<ListedVenv> {
  const executable = join(folder, 'bin', 'python')
  const packages = await packagesOf(folder)
  if (!packages) return { folder, executable, packages: [], fault: 'not whole' }
  const isRunnable = await access(executable, constants.X_OK).then(
    () => true,
    () => false,
  )
  return {
    folder,
    executable,
    packages,
    ...(isRunnable ? {} : { fault: 'its Python interpreter is missing' }),
  }
}

async function packagesOf(folder: string): Promise<readonly string[] | undefined> {
  try {
    const made: unknown = JSON.parse(await readFile(join(folder, MADE_FILE), 'utf8'))
    if (!isObject(made)) return undefined
    const listed = [made['packages'], made['alone']].flat()
    return listed.filter((name) => typeof name === 'string')
  } catch {
    return undefined
  }
}
