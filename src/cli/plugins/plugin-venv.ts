import { isFolder, type PackageManifest, readManifest } from '@braidwork/core/internal'
import {
  findPython,
  type MakeOptions,
  makeVenv,
  type Python,
  pluginPythonOf,
  removeVenv,
} from '@braidwork/python/internal'
import { visible } from '../characters.ts'
import { stylesOf } from '../terminal.ts'

/** Whether plugins of a package run in Python. */
export function hasPython(plugins: PackageManifest['plugins']): boolean {
  return plugins.some(({ entry }) => entry.endsWith('.py'))
}

/**
 * Makes the virtual environment that a folder with Python plugins needs, and says so.
 * @returns whether it was made now
 */
export async function prepareVenv(folder: string, options: MakeOptions): Promise<boolean> {
  const base = await findPython()
  const { dim } = stylesOf(process.stderr)
  const log = (line: string) => process.stderr.write(`${dim(visible(line))}\n`)
  const made = await makeVenv(folder, base, { log, ...options })
  if (made.outcome !== 'made') return false
  process.stdout.write(
    visible(`made its virtual environment ${made.folder} for Python ${base.version}\n`),
  )
  return true
}

/** Removes the virtual environment of a folder, unless one of the other folders uses it. Call it before the folder goes. */
export async function clearVenv(folder: string, others: readonly string[]): Promise<void> {
  if (!isFolder(folder) || !hasPython(readManifest(folder)?.plugins ?? [])) return
  const base = await findPython()
  const executables = await Promise.all([folder, ...others].map((one) => executableOf(one, base)))
  const [own, ...used] = executables
  if (own === undefined || own === base.executable || used.includes(own)) return
  if (await removeVenv(folder, base)) process.stdout.write('removed its virtual environment\n')
}

async function executableOf(folder: string, base: Python): Promise<string | undefined> {
  try {
    return (await pluginPythonOf(folder, base)).executable
  } catch {
    // Without Python there is no environment to remove.
    return undefined
  }
}
