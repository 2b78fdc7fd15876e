import { resolve } from 'node:path'
import { type ConfigLayer, mergeLayers } from '@braidwork/core'
import {
  type CheckModule,
  checkConfig,
  findLayers,
  isPath,
  type Layer,
  stackLayers,
} from '@braidwork/core/internal'
import { type Diagnostic, HostError } from '@braidwork/plugin'

/** Options of every command that needs a config. */
export interface ConfigOptions {
  readonly config?: string
  readonly provider?: string
  readonly model?: string
  readonly set?: readonly string[]
  /** Whether folders above the working directory are looked into; yes where it is not said. */
  readonly walksUp?: boolean
  /** Whether plugins of a trusted folder may have changed: `--watch` loads them again. */
  readonly isWatched?: boolean
}

/** A config with the layers that it came of. */
export interface LoadedConfig {
  readonly config: ConfigLayer
  /** Lowest first. */
  readonly layers: readonly Layer[]
  readonly diagnostics: readonly Diagnostic[]
  readonly check?: CheckModule | undefined
}

/** The user's config file, the project's or the one that was named, and the command line over them. */
export function loadConfig(options: ConfigOptions): LoadedConfig {
  const { layers, diagnostics, check } = findLayers({
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
    diagnostics,
    check,
  }
}

/**
 * Stops where a config does not count that once did: going on without it would be something else than was meant.
 * @throws {HostError} CONFIG_INVALID
 */
export function assertCounted(diagnostics: readonly Diagnostic[]): void {
  const lost = diagnostics.find(
    ({ code, level }) => code === 'FOLDER_UNTRUSTED' && level === 'error',
  )
  if (lost) throw new HostError('CONFIG_INVALID', lost.message)
}

/** Paths on the command line begin where it is run; a name never leads to a package of that folder. */
function withPaths({ plugins, ...line }: ConfigLayer): ConfigLayer {
  if (!plugins) return line
  return { ...line, plugins: plugins.map((name) => (isPath(name) ? resolve(name) : name)) }
}

/** `a.b.c=value`: the value is JSON, or else text. */
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
  return checkConfig(layer)
}

function parseValue(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
