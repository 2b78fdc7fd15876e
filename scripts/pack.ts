/** Packs packages of the repository into a folder, as npm would publish them. */
import { execFile } from 'node:child_process'
import { readdir, readFile, realpath } from 'node:fs/promises'
import { join, relative, resolve } from 'node:path'
import { promisify } from 'node:util'

const ROOT = resolve(import.meta.dirname, '..')
const PACK = ['pack', '--ignore-scripts', '--silent', '--pack-destination']

const run = promisify(execFile)

/**
 * Packs workspaces from their builds, together with all workspaces that they depend on.
 * @param folders relative to the root, such as `src/cli`
 * @returns the paths of the tarballs; `into` contains nothing else
 */
export async function packWorkspaces(
  folders: readonly string[],
  into: string,
): Promise<readonly string[]> {
  const all = await withDependencies(folders)
  await run('npm', [...PACK, into, ...all.map((folder) => `./${folder}`)], { cwd: ROOT })
  return (await readdir(into)).map((name) => join(into, name))
}

async function withDependencies(folders: readonly string[]): Promise<readonly string[]> {
  const all = new Set(folders)
  // Iterating over a set includes items that are added during the iteration.
  for (const folder of all) for (const other of await dependenciesOf(folder)) all.add(other)
  return [...all]
}

async function dependenciesOf(folder: string): Promise<readonly string[]> {
  const { dependencies = {} } = JSON.parse(
    await readFile(join(ROOT, folder, 'package.json'), 'utf8'),
  ) as { readonly dependencies?: { readonly [name: string]: string } }
  const own = Object.keys(dependencies).filter((name) => name.startsWith('@braidwork/'))
  const paths = own.map((name) => realpath(join(ROOT, 'node_modules', name)))
  return (await Promise.all(paths)).map((path) => relative(ROOT, path))
}
