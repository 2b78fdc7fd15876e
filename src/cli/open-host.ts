import { createHost, type Host } from '@braidwork/core'
import {
  addedFile,
  allPinned,
  hostFolder,
  isFolder,
  type LoadOptions,
  Pinning,
  type PluginStorages,
  pythonLoader,
  readAdded,
  readPlugins,
  realPath,
  trustFile,
  unloadedPlugin,
  userConfigFile,
} from '@braidwork/core/internal'
import type { Diagnostic, Log } from '@braidwork/plugin'
import { discoverHere } from './discover-here.ts'
import { type ConfigOptions, type LoadedConfig, loadConfig } from './options.ts'

export interface OpenHost {
  readonly host: Host
  /** The modules of its plugins. */
  readonly entries: readonly string[]
  readonly layers: LoadedConfig['layers']
  /** What the config says of the server: no plugin sees it. */
  readonly server: unknown
  /** What was found while plugins were looked for. */
  readonly diagnostics: readonly Diagnostic[]
}

export interface OpenOptions {
  /** What is done to each plugin before it is registered. */
  readonly wrap?: (plugin: unknown) => unknown
  readonly versions?: LoadOptions['versions']
  /** The host has no config of its own: each of its doors is handed one. */
  readonly isBare?: boolean
  readonly log?: Log
  readonly storage?: PluginStorages
}

/**
 * A host of the plugins that the config lists, then of those that are found, in order of name, which are
 * loaded when they are first of use. The command line's config is the host's own, so that `${env:NAME}` is
 * filled in.
 */
export async function openHost(
  options: ConfigOptions,
  { wrap, versions, isBare = false, log, storage }: OpenOptions = {},
): Promise<OpenHost> {
  const { config: given, layers, diagnostics: unused, check } = loadConfig(options)
  const { plugins: listed = [], server, ...config } = given
  const { plugins: found, diagnostics, check: checkFound } = discoverHere(options)
  const loading = { versions, python: pythonLoader(), ...(wrap ? { wrap } : {}) }
  const naming = { ...loading, check, from: hostFolder() ?? process.cwd() }
  const read = (await Promise.all(listed.map((name) => readPlugins(name, naming)))).flat()
  const entries = new Set(read.flatMap(({ entry }) => entry ?? []))
  const others = found.filter(({ entry }) => !entries.has(realPath(entry)))
  const plugins = [
    ...read.flatMap(({ plugin }) => (plugin === undefined ? [] : [plugin])),
    ...others.map((plugin) =>
      unloadedPlugin(plugin, { ...loading, check: checkFound, isFound: true }),
    ),
  ]
  return {
    host: await createHost({
      plugins,
      config: isBare ? {} : config,
      ...(log ? { log } : {}),
      ...(storage ? { storage } : {}),
      protectedFiles: () => decidingFiles({ layers, listed }),
    }),
    entries: [...entries, ...others.map(({ entry }) => entry)],
    layers,
    server,
    diagnostics: [...unused, ...diagnostics, ...read.flatMap((one) => one.diagnostics)],
  }
}

/** What may run when a command is next started: what folders are trusted with, and what was named to this one. */
function decidingFiles({ layers, listed }: Deciding): readonly string[] {
  const pinning = new Pinning()
  for (const reference of listed) pinning.addPlugin(reference)
  for (const folder of readAdded().folders) if (isFolder(folder)) pinning.addPackage(folder)
  const configs = layers.flatMap(({ file }) => (file ? [realPath(file.path)] : []))
  const own = [trustFile(), addedFile(), userConfigFile()].map(realPath)
  return [...configs, ...own, ...allPinned(), ...pinning.pins.keys()]
}

interface Deciding {
  readonly layers: LoadedConfig['layers']
  readonly listed: readonly string[]
}
