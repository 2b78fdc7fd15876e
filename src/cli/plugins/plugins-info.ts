import { isFolder, type PackageManifest } from '@braidwork/core/internal'
import { HostError } from '@braidwork/plugin'
import { jsonText, visible } from '../characters.ts'
import { EXIT, reportDiagnostics } from '../exit.ts'
import { oldBuild } from '../old-build.ts'
import {
  describePackage,
  installationOf,
  type LockEntry,
  packageIn,
  RIGHTS,
  readLock,
} from '../packages/index.ts'
import { manifestHere, manifestOf } from './added-folders.ts'

/** `braidwork plugins info <plugin>`: says which version of a package is where, and what its plugins may do. */
export async function pluginsInfoCommand(
  reference: string,
  { json = false }: { readonly json?: boolean },
): Promise<number> {
  const manifest = find(reference)
  const { package: name, version, folder, plugins } = manifest
  const entry = entryOf(manifest)
  if (entry && entry.version !== version) reportDiagnostics([changed(manifest, entry)])
  reportDiagnostics([oldBuild(manifest) ?? []].flat())
  const rights = await describePackage(manifest)
  if (json) {
    const { integrity, range } = entry ?? {}
    const known = { package: name, version, folder, integrity, range, plugins, rights }
    process.stdout.write(`${jsonText(known, 2)}\n`)
    return EXIT.ok
  }
  const source = entry
    ? [`integrity: ${entry.integrity}`, `updates: ${entry.range}`]
    : ['integrity: not recorded, since "braidwork plugins add" did not install it']
  const lines = [`${name} ${version}`, `  folder: ${folder}`, ...source.map((line) => `  ${line}`)]
  const said = [...lines, ...rights.map((line) => `  ${line}`), RIGHTS]
  process.stdout.write(`${visible(said.join('\n'))}\n`)
  return EXIT.ok
}

function find(reference: string): PackageManifest {
  if (Object.hasOwn(readLock(), reference)) {
    const folder = packageIn(installationOf(reference), reference)
    if (isFolder(folder)) return manifestOf(folder)
  }
  const manifest = manifestHere(reference)
  if (manifest) return manifest
  throw new HostError(
    'PLUGIN_UNKNOWN',
    `No plugin or package "${reference}" is found from here. "braidwork plugins" lists those that are.`,
  )
}

/** The record of a package, if it is the one that was installed. */
function entryOf({ package: name, folder }: PackageManifest): LockEntry | undefined {
  const lock = readLock()
  const isOwn = Object.hasOwn(lock, name) && packageIn(installationOf(name), name) === folder
  return isOwn ? lock[name] : undefined
}

function changed({ package: name, version, folder }: PackageManifest, entry: LockEntry) {
  return {
    code: 'PACKAGE_MISMATCH',
    level: 'warning',
    message: `"${folder}" has version ${version}, but version ${entry.version} was installed. Install it again: braidwork plugins add ${name}@${entry.version}`,
  } as const
}
