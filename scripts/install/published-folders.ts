/** The packages of this repository that are published. */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'

const ROOT = resolve(import.meta.dirname, '..', '..')

interface Manifest {
  readonly name: string
  readonly workspaces?: readonly string[]
}

/** The package.json of a folder, relative to the root. */
export function manifestOf(folder: string): Manifest {
  return JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8')) as Manifest
}

/** The folders of the published packages, relative to the root. */
export function publishedFolders(): readonly string[] {
  const groups = (manifestOf('.').workspaces ?? []).map((pattern) => dirname(pattern))
  const folders = groups.flatMap((group) =>
    readdirSync(join(ROOT, group)).map((name) => `${group}/${name}`),
  )
  return folders.filter((folder) => readdirSync(join(ROOT, folder)).includes('package.json'))
}
