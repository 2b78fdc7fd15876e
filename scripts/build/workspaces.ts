import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

const GROUPS = ['src', 'providers', 'extensions', 'features', 'tools']

interface Dependencies {
  readonly [name: string]: string
}

/** The members of a package.json that the build reads. */
export interface Manifest {
  readonly exports?: { readonly [door: string]: string | { readonly default: string } }
  readonly dependencies?: Dependencies
  readonly peerDependencies?: Dependencies
  readonly braidwork?: {
    readonly plugins: readonly { readonly name: string; readonly entry: string }[]
  }
}

/** A package of this repository. */
export interface Workspace {
  /** Relative to the root, such as `tools/clock`. */
  readonly folder: string
  readonly manifest: Manifest
}

/** All packages of the repository. */
export async function workspaces(): Promise<readonly Workspace[]> {
  const folders = await Promise.all(
    GROUPS.map(async (group) => (await readdir(group)).map((name) => join(group, name))),
  )
  const found = await Promise.all(folders.flat().map(workspaceIn))
  return found.flatMap((workspace) => workspace ?? [])
}

async function workspaceIn(folder: string): Promise<Workspace | undefined> {
  const text = await readFile(join(folder, 'package.json'), 'utf8').catch(() => undefined)
  return text === undefined ? undefined : { folder, manifest: JSON.parse(text) as Manifest }
}
