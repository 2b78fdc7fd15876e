import type { Diagnostic } from '../errors.ts'
import { createHost, type Host } from '../host/index.ts'
import type { FoundPlugin } from '../load/discover.ts'
import { type LoadOptions, loadPlugin } from '../load/load-plugin.ts'
import { pythonLoader } from '../load/python-loader.ts'
import { type ConfigLayer, mergeLayers } from '../schema/layers.ts'
import { discoverHere } from './discover-here.ts'
import { type ConfigOptions, readConfig } from './options.ts'

export interface OpenHost {
  readonly host: Host
  /** The modules of its plugins. */
  readonly entries: readonly string[]
  /** What was found while plugins were looked for. */
  readonly diagnostics: readonly Diagnostic[]
}

export interface OpenOptions {
  /** What is done to each plugin before it is registered. */
  readonly wrap?: (plugin: unknown) => unknown
  readonly versions?: LoadOptions['versions']
  /** Leaves out Python plugins that were found and that this config has no use for: no interpreter is started. */
  readonly forUse?: boolean
}

/**
 * A host of the plugins that the config lists, then of those that are found, in order of name. The command
 * line's config is the host's own, so that `${env:NAME}` is filled in.
 */
export async function openHost(
  options: ConfigOptions,
  { wrap = (plugin) => plugin, versions, forUse = false }: OpenOptions = {},
): Promise<OpenHost> {
  const { plugins: listed = [], ...config } = await readConfig(options)
  const { plugins: all, diagnostics } = discoverHere()
  const found = forUse ? all.filter((plugin) => isOfUse(plugin, config)) : all
  const python = pythonLoader()
  const loaded = await Promise.all(
    [...listed, ...found.map(({ entry }) => entry)].map((reference) =>
      loadPlugin(reference, { versions, python }),
    ),
  )
  const plugins = [
    ...new Set(loaded.flatMap(({ plugin }) => (plugin === undefined ? [] : [plugin]))),
  ]
  const host = await createHost({ plugins: plugins.map(wrap), config })
  const entries = loaded.flatMap(({ entry }) => entry ?? [])
  return {
    host,
    entries,
    diagnostics: [
      ...diagnostics,
      ...loaded.flatMap((one, at) => {
        const name = found[at - listed.length]?.name
        const isWanted = name === undefined || names(config, name)
        return isWanted ? one.diagnostics : one.diagnostics.map(asNote)
      }),
    ],
  }
}

/** Whether a plugin may be on: of those in Python, one that is off until it is named has to be. */
function isOfUse({ kind, name, entry, defaultEnabled }: FoundPlugin, config: ConfigLayer): boolean {
  const needsNaming = kind === 'provider' || defaultEnabled === false
  return !entry.endsWith('.py') || !needsNaming || names(config, name)
}

/** Whether a config speaks of a plugin. */
function names(config: ConfigLayer, plugin: string): boolean {
  const { provider, enabled_plugins = [], force_enabled_plugins = [] } = mergeLayers(config)
  return [provider, ...enabled_plugins, ...force_enabled_plugins].includes(plugin)
}

/** That Python or a plugin's packages are not there is no fault, where it was found and nobody asks for it. */
function asNote(diagnostic: Diagnostic): Diagnostic {
  const isMissing = ['PYTHON_MISSING', 'PYTHON_ENVIRONMENT_MISSING'].includes(diagnostic.code)
  return isMissing ? { ...diagnostic, level: 'info' } : diagnostic
}
