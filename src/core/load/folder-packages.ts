import { existsSync } from 'node:fs'
import { type Diagnostic, isObject } from '@braidwork/plugin'
import { messageOf } from '@braidwork/plugin/internal'
import { packageFolder } from './locate.ts'
import { type PackageManifest, readManifest } from './manifest.ts'
import { readPackageJson, workspaceFolders } from './package-json.ts'
import { realPathOf } from './trust.ts'

export interface Manifests {
  readonly manifests: readonly PackageManifest[]
  readonly diagnostics: readonly Diagnostic[]
}

/** The manifests of plugin packages among the dependencies and workspaces of a folder's package.json. */
export function packagesOf(folder: string): Manifests {
  const json = readPackageJson(folder)
  const names = ['dependencies', 'optionalDependencies'].flatMap((key) =>
    isObject(json?.[key]) ? Object.keys(json[key]) : [],
  )
  const installed = names.flatMap((name) => packageFolder(name, folder) ?? [])
  return readManifests([...installed, ...workspaceFolders(folder, json?.['workspaces'])])
}

/** Those manifests, or none, with a diagnostic, if the folder's own package.json cannot be read. */
export function readablePackages(folder: string): Manifests {
  try {
    return packagesOf(folder)
  } catch (error) {
    return { manifests: [], diagnostics: [unreadable(error)] }
  }
}

function unreadable(error: unknown): Diagnostic {
  return { code: 'MANIFEST_INVALID', level: 'error', message: messageOf(error) }
}

/** Reads the manifests in folders. An invalid manifest becomes a diagnostic. */
export function readManifests(folders: readonly string[]): Manifests {
  const diagnostics: Diagnostic[] = []
  const manifests: PackageManifest[] = []
  const existing = folders.filter((path) => existsSync(path))
  for (const folder of new Set(existing.map(realPathOf))) {
    try {
      const manifest = readManifest(folder)
      if (manifest) manifests.push(manifest)
      diagnostics.push(...(manifest?.diagnostics ?? []))
    } catch (error) {
      diagnostics.push(unreadable(error))
    }
  }
  return { manifests, diagnostics }
}
