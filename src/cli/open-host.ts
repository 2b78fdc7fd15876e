import type { Declared } from '@braidwork/agent/internal'
import type { Host } from '@braidwork/core'
import {
  createHostWith,
  type LoadOptions,
  type PluginStorages,
  pythonLoader,
  readAdded,
  readPlugins,
  unloadedPlugin,
} from '@braidwork/core/internal'
import type { Diagnostic, Log } from '@braidwork/plugin'
import { placeIn, withPlaces } from './config-places.ts'
import { discoverHere } from './discover-here.ts'
import { HeldLog } from './held-log.ts'
import { besideListed } from './listed-before-added.ts'
import { obeyedFiles } from './obeyed-files.ts'
import { oldBuilds } from './old-build.ts'
import { type ConfigOptions, type LoadedConfig, loadConfig } from './options.ts'

export interface OpenHost {
  readonly host: Host
  /** Module paths of the config's plugins. */
  readonly entries: readonly string[]
  readonly layers: LoadedConfig['layers']
  /** The `server` part of the config. Plugins do not see it. */
  readonly server: unknown
  /** The agents and models that the config, and the files beside it, declare. Plugins do not see them. */
  readonly declared: Declared
  /** Diagnostics from the search for plugins. */
  readonly diagnostics: readonly Diagnostic[]
}

export interface OpenOptions {
  /** Called with each plugin before it is registered; its result is registered instead. */
  readonly wrap?: (plugin: unknown) => unknown
  readonly versions?: LoadOptions['versions']
  /** True for a host without a config of its own: each method is passed one. */
  readonly isBare?: boolean
  readonly log?: Log
  /** Takes what Python plugins print and log. The default is `log`. */
  readonly pythonLog?: Log | undefined
  readonly storage?: PluginStorages
}

/**
 * Opens a host with the plugins that the config lists, then the plugins that the search found, in order of name.
 * A found plugin is loaded on first use. The command line's config becomes the host's own config, so that the
 * host fills in `${env:NAME}`.
 */
export async function openHost(
  options: ConfigOptions,
  { wrap, versions, isBare = false, log, pythonLog = log, storage }: OpenOptions = {},
): Promise<OpenHost> {
  const { config: given, layers, agentTexts: texts, ...loaded } = loadConfig(options)
  const { plugins: listed = [], server, agents, models, ...config } = given
  const { diagnostics: unused, check } = loaded
  const { plugins: found, diagnostics, check: checkFound } = discoverHere(options)
  const output = new HeldLog()
  const python = pythonLoader({ log: output.log })
  const loading = { versions, python, ...(wrap ? { wrap } : {}) }
  const naming = { ...loading, check }
  const read = (await Promise.all(listed.map((name) => readPlugins(name, naming)))).flat()
  const entries = new Set(read.flatMap(({ entry }) => entry ?? []))
  const { plugins: others, diagnostics: notes } = besideListed(found, entries)
  const plugins = [
    ...read.flatMap(({ plugin }) => (plugin === undefined ? [] : [plugin])),
    ...others.map((plugin) =>
      unloadedPlugin(plugin, { ...loading, check: checkFound, isFound: true }),
    ),
  ]
  const hostOptions = {
    plugins,
    config: isBare ? {} : config,
    ...(log ? { log } : {}),
    ...(storage ? { storage } : {}),
    protectedFiles: await obeyedFiles({ given, layers, listed, texts }),
  }
  const host = await withPlaces(layers, () => createHostWith(hostOptions, python))
  output.goTo((entry) => pythonLog?.(host.maskTexts(entry)))
  for (const listener of listeners) listener(host)
  return {
    host,
    entries: [...entries, ...others.map(({ entry }) => entry)],
    layers,
    server,
    declared: { agents, models, texts, placeOf: (pointer) => placeIn(layers, pointer) },
    diagnostics: [
      ...unused,
      ...diagnostics,
      ...notes,
      ...oldBuilds(found, readAdded().folders),
      ...read.flatMap((one) => one.diagnostics),
    ],
  }
}

const listeners = new Set<(host: Host) => void>()

/** Calls a function with each host that is opened from now on. @returns ends it */
export function onHostOpened(listener: (host: Host) => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
