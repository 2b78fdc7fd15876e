import { realpathSync } from 'node:fs'
import { resolve } from 'node:path'
import {
  isFolder,
  isPath,
  type PackagedPlugin,
  type PackageManifest,
  packageFolder,
  readAdded,
  readManifest,
  writeAdded,
} from '@braidwork/core/internal'
import { HostError } from '@braidwork/plugin'
import {
  findPython,
  type MakeOptions,
  makeVenv,
  type Python,
  pluginPythonOf,
  removeVenv,
} from '@braidwork/python/internal'
import { visible } from './characters.ts'
import { discoverHere } from './discover-here.ts'
import { EXIT } from './exit.ts'
import { stylesOf } from './terminal.ts'

export interface PluginsAddOptions {
  /** Names of additional environment variables that installers and builds see. */
  readonly env?: readonly string[]
}

/**
 * `braidwork plugins add <plugin>`: creates the virtual environment that a Python plugin needs, then trusts the
 * plugin's folder for every working directory. It does not install packages; npm does that.
 */
export async function pluginsAddCommand(
  reference: string,
  { env: named = [] }: PluginsAddOptions = {},
): Promise<number> {
  const { folder, plugins } = locate(reference)
  const { folders } = readAdded()
  if (hasPython(plugins)) {
    const controller = new AbortController()
    const release = abortBySignals(controller)
    try {
      await prepare(folder, await findPython(), { signal: controller.signal, named })
    } finally {
      release()
    }
  }
  if (!folders.includes(folder)) writeAdded([...folders, folder])
  for (const { kind, name } of plugins) say(`added ${kind} "${name}" from ${folder}`)
  return EXIT.ok
}

/** `braidwork plugins remove <plugin>`: forgets a plugin, and removes its environment unless another one uses it. */
export async function pluginsRemoveCommand(reference: string): Promise<number> {
  const { folders } = readAdded()
  const folder = folders.find((one) => isMeant(one, reference))
  if (folder === undefined) {
    throw new HostError(
      'PLUGIN_UNKNOWN',
      `"${reference}" is not among the added plugins: ${folders.join(', ') || 'none'}.`,
    )
  }
  const others = folders.filter((one) => one !== folder)
  writeAdded(others)
  say(`removed ${folder}`)
  if (isFolder(folder) && hasPython(manifestOf(folder).plugins)) await clearAway(folder, others)
  return EXIT.ok
}

async function prepare(folder: string, base: Python, options: MakeOptions): Promise<void> {
  const { dim } = stylesOf(process.stderr)
  const log = (line: string) => process.stderr.write(`${dim(visible(line))}\n`)
  const made = await makeVenv(folder, base, { log, ...options })
  if (made.outcome === 'made')
    say(`made its virtual environment ${made.folder} for Python ${base.version}`)
}

async function clearAway(folder: string, others: readonly string[]): Promise<void> {
  const base = await findPython()
  const executables = await Promise.all([folder, ...others].map((one) => executableOf(one, base)))
  const [own, ...used] = executables
  if (own === undefined || own === base.executable || used.includes(own)) return
  if (await removeVenv(folder, base)) say(`removed its virtual environment`)
}

async function executableOf(folder: string, base: Python): Promise<string | undefined> {
  try {
    return (await pluginPythonOf(folder, base)).executable
  } catch {
    // Without Python there is no environment to remove.
    return undefined
  }
}

/** Finds a folder with a manifest by its path, by a package name, or by the name of a plugin found from here. */
function locate(reference: string): PackageManifest {
  if (isPath(reference)) return manifestOf(resolve(reference))
  const folder = packageFolder(reference, process.cwd()) ?? foundHere(reference)?.folder
  if (folder !== undefined) return manifestOf(folder)
  throw new HostError(
    'PLUGIN_UNKNOWN',
    `No package "${reference}" is installed here. Install it with "npm install ${reference}", or give a path that begins with "./".`,
  )
}

function foundHere(reference: string): PackagedPlugin | undefined {
  return discoverHere().plugins.find(({ name }) => name === reference)
}

function manifestOf(path: string): PackageManifest {
  if (!isFolder(path)) {
    throw new HostError(
      'PLUGIN_UNKNOWN',
      `There is no folder "${path}". A path must name a folder. List a single module in "plugins" of a config instead.`,
    )
  }
  const folder = realpathSync(path)
  const manifest = readManifest(folder)
  if (manifest && manifest.plugins.length > 0) return manifest
  const [fault] = manifest?.diagnostics ?? []
  if (fault) throw new HostError('MANIFEST_INVALID', fault.message, { pointer: fault.pointer })
  throw new HostError(
    'MANIFEST_INVALID',
    `"${folder}" has no package.json with plugins under "braidwork", and no pyproject.toml with [tool.braidwork]; docs/packages.md shows both.`,
  )
}

function isMeant(folder: string, reference: string): boolean {
  if (isPath(reference)) {
    const path = resolve(reference)
    return folder === path || (isFolder(path) && folder === realpathSync(path))
  }
  if (!isFolder(folder)) return false
  const { package: name, plugins } = manifestOf(folder)
  return name === reference || plugins.some((plugin) => plugin.name === reference)
}

function hasPython(plugins: PackageManifest['plugins']): boolean {
  return plugins.some(({ entry }) => entry.endsWith('.py'))
}

/** Aborts on Ctrl-C or SIGTERM, so that the installer stops and removes its unfinished work. */
function abortBySignals(controller: AbortController): () => void {
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
  const stop = () => controller.abort()
  for (const signal of signals) process.on(signal, stop)
  return () => {
    for (const signal of signals) process.off(signal, stop)
  }
}

function say(line: string): void {
  process.stdout.write(`${visible(line)}\n`)
}
