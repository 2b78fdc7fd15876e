import {
  isPath,
  type PackageManifest,
  readAdded,
  realPathOr,
  writeAdded,
} from '@braidwork/core/internal'
import { HostError } from '@braidwork/plugin'
import { visible } from '../characters.ts'
import { discoverHere } from '../discover-here.ts'
import { EXIT, reportDiagnostics } from '../exit.ts'
import { oldBuild } from '../old-build.ts'
import {
  checkFolder,
  displace,
  installationOf,
  isTarball,
  oneAtATime,
  packageIn,
  parseSpec,
  RESTART,
  readLock,
} from '../packages/index.ts'
import { stylesOf } from '../terminal.ts'
import { untilSignal } from '../until-signal.ts'
import { isMeant, manifestHere, placeOf } from './added-folders.ts'
import { clearVenv, hasPython, prepareVenv } from './plugin-venv.ts'
import { installPackage } from './plugins-install.ts'
import type { PluginsAddOptions } from './plugins-options.ts'

/**
 * `braidwork plugins add <plugin>`: trusts the plugins of a folder, or of a package that is installed here, in every
 * working directory. It installs any other package from the registry of npm. A Python plugin gets the virtual
 * environment that it needs.
 */
export async function pluginsAddCommand(
  reference: string,
  options: PluginsAddOptions = {},
): Promise<number> {
  const manifest = isTarball(reference) ? undefined : manifestHere(reference)
  if (!manifest) return installPackage(parseSpec(reference), options)
  await addFolder(manifest, placeOf(reference, manifest), options)
  return EXIT.ok
}

/** @param place - the path by which the folder is recorded */
async function addFolder(
  manifest: PackageManifest,
  place: string,
  { env: named = [] }: PluginsAddOptions,
): Promise<void> {
  const { folder, plugins } = manifest
  checkFolder(manifest, discoverHere().plugins)
  if (hasPython(plugins)) await untilSignal((signal) => prepareVenv(folder, { signal, named }))
  await oneAtATime(() => {
    // Another process may have added a plugin of the same name in the meantime.
    checkFolder(manifest, discoverHere().plugins)
    const { folders } = readAdded()
    const others = folders.filter((one) => one !== place && realPathOr(one) !== folder)
    writeAdded([...others, place])
  })
  for (const { kind, name } of plugins) say(`added ${kind} "${name}" from ${place}`)
  reportDiagnostics([oldBuild(manifest) ?? []].flat())
}

/**
 * `braidwork plugins remove <plugin>`: forgets a plugin, and removes its environment unless another one uses it. A
 * package that `plugins add` installed is deleted.
 */
export async function pluginsRemoveCommand(reference: string): Promise<number> {
  const { folders } = readAdded()
  const lock = readLock()
  const installed = (name: string) => packageIn(installationOf(name), name)
  const folder = Object.hasOwn(lock, reference)
    ? installed(reference)
    : folders.find((one) => isMeant(one, reference))
  if (folder === undefined) {
    throw new HostError(
      'PLUGIN_UNKNOWN',
      `"${reference}" is not among the added plugins: ${folders.join(', ') || 'none'}.`,
    )
  }
  const others = await oneAtATime(() => {
    const left = readAdded().folders.filter((one) => one !== folder)
    writeAdded(left)
    return left
  })
  say(`removed ${folder}`)
  for (const other of isPath(reference) ? [] : others.filter((one) => isMeant(one, reference)))
    say(`"${reference}" is still added from ${other}`)
  try {
    await clearVenv(realPathOr(folder), others.map(realPathOr))
  } finally {
    const name = Object.keys(lock).find((one) => installed(one) === folder)
    if (name !== undefined) {
      await displace(name)
      process.stderr.write(`${stylesOf(process.stderr).dim(RESTART)}\n`)
    }
  }
  return EXIT.ok
}

function say(line: string): void {
  process.stdout.write(`${visible(line)}\n`)
}
