import { resolve } from 'node:path'
import { type ConfigLayer, mergeLayers } from '@braidwork/core'
import {
  type AgentText,
  type CheckModule,
  checkReferring,
  findLayers,
  isPath,
  type Layer,
  stackLayers,
} from '@braidwork/core/internal'
import { type Diagnostic, HostError } from '@braidwork/plugin'

/** The options of every command that needs a config. */
export interface ConfigOptions {
  readonly config?: string
  readonly provider?: string
  readonly model?: string
  readonly set?: readonly string[]
  /** Whether to search folders above the working directory; true by default. */
  readonly walksUp?: boolean
  /** True with `--watch`: plugins of a trusted folder may have changed and are loaded again. */
  readonly isWatched?: boolean
}

/** A config with the layers that it was merged from. */
export interface LoadedConfig {
  readonly config: ConfigLayer
  /** Lowest priority first. */
  readonly layers: readonly Layer[]
  /** The files that declare agents. */
  readonly agentTexts: readonly AgentText[]
  readonly diagnostics: readonly Diagnostic[]
  readonly check?: CheckModule | undefined
}

/** Loads the user's config file, then the project's (or the named) one over it, then the command line's options. */
export function loadConfig(options: ConfigOptions): LoadedConfig {
  const { layers, agents, diagnostics, check } = findLayers({
    from: process.cwd(),
    file: options.config,
    walksUp: options.walksUp,
    isWatched: options.isWatched,
  })
  const flags: ConfigLayer = {
    ...(options.provider === undefined ? {} : { provider: options.provider }),
    ...(options.model === undefined ? {} : { model: options.model }),
  }
  const line = stackLayers(flags, ...(options.set ?? []).map(parseAssignment))
  const all = [...layers, { from: 'command line', config: withPaths(line) } as const]
  return {
    config: mergeLayers(...all.map(({ config }) => config)),
    layers: all,
    agentTexts: agents,
    diagnostics,
    check,
  }
}

/**
 * Throws if a config file that was trusted earlier is now ignored. To go on without it would silently run
 * something other than the user intended.
 * @throws {HostError} CONFIG_INVALID
 */
export function assertCounted(diagnostics: readonly Diagnostic[]): void {
  const lost = lostConfig(diagnostics)
  if (lost) throw new HostError('CONFIG_INVALID', lost.message)
}

/** The diagnostic of a config that was trusted earlier and is now ignored. */
export function lostConfig(diagnostics: readonly Diagnostic[]): Diagnostic | undefined {
  return diagnostics.find(({ code, level }) => code === 'FOLDER_UNTRUSTED' && level === 'error')
}

/** Resolves paths from the command line against the working directory; a name never resolves to a package there. */
function withPaths({ plugins, ...line }: ConfigLayer): ConfigLayer {
  if (!plugins) return line
  return { ...line, plugins: plugins.map((name) => (isPath(name) ? resolve(name) : name)) }
}

/** Parses `a.b.c=value` to a config layer. The value is parsed as JSON; if it is not JSON, it is plain text. */
function parseAssignment(assignment: string): ConfigLayer {
  const at = assignment.indexOf('=')
  const path = assignment.slice(0, Math.max(at, 0)).split('.')
  if (path.includes('')) {
    throw new HostError(
      'CONFIG_INVALID',
      `--set takes KEY=VALUE, as in --set settings.scripted.delay_ms=0, not "${assignment}".`,
    )
  }
  const layer = path.reduceRight<unknown>(
    (value, key) => ({ [key]: value }),
    parseValue(assignment.slice(at + 1)),
  )
  return checkReferring(layer, process.env)
}

function parseValue(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
