import { type Diagnostic, HostError, withMessage } from '../errors.ts'
import type { AnyPlugin, Config, Log, MemoryStorage } from '../plugin/internal.ts'
import { type Resolved, resolve } from '../resolve/index.ts'
import { checkConfig, configDiagnostics } from '../schema/check-config.ts'
import { mergeLayers } from '../schema/layers.ts'
import { mapTexts, type Secrets } from '../schema/secrets.ts'
import type { ModelCache } from './model-cache.ts'

/** What the host's doors share. */
export interface HostCore {
  readonly plugins: readonly AnyPlugin[]
  /** The config of `createHost`, loaded: the lowest layer of every request. */
  readonly config: Config
  /** What was found when plugins were loaded. */
  readonly diagnostics: readonly Diagnostic[]
  readonly secrets: Pick<Secrets, 'viewOf' | 'masked' | 'textMask'>
  readonly storage: MemoryStorage
  readonly models: ModelCache
  readonly log: Log
  /** Aborts when the host closes. */
  readonly closing: AbortSignal
}

/** @throws {HostError} HOST_CLOSED */
export function assertOpen({ closing }: HostCore): void {
  if (closing.aborted) throw new HostError('HOST_CLOSED', 'The host was closed; create another.')
}

/** A config over the host's own. @throws {HostError} CONFIG_INVALID, HOST_CLOSED */
export function configFor(core: HostCore, layer: unknown): Config {
  assertOpen(core)
  if (layer === undefined) return core.config
  return mergeLayers(core.config, checkConfig(layer))
}

/** Plugins are loaded once, when the host is made. */
const PLUGINS_IGNORED: Diagnostic = {
  code: 'PLUGINS_IGNORED',
  level: 'warning',
  pointer: '/plugins',
  message: 'A request loads no plugins; name them when the host is made.',
}

/** The one resolution behind every door, with the diagnostics of load and config before its own. CL-01 */
export async function resolveFor(core: HostCore, config: Config): Promise<Resolved> {
  const options = resolveOptions(core, config)
  const resolved = await maskErrors(core, config, resolve(core.plugins, config, options))
  const diagnostics = [
    ...core.diagnostics,
    ...configDiagnostics(config, core.plugins),
    ...(config.plugins === core.config.plugins ? [] : [PLUGINS_IGNORED]),
    ...resolved.resolution.diagnostics.map((diagnostic) =>
      maskDiagnostic(core, config, diagnostic),
    ),
  ]
  return {
    ...resolved,
    resolution: Object.freeze({
      ...resolved.resolution,
      diagnostics: Object.freeze(diagnostics.map(freezeDiagnostic)),
    }),
  }
}

export function resolveOptions(core: HostCore, config: Config) {
  return {
    configOf: (seen: Config, plugin: AnyPlugin) => core.secrets.viewOf(seen, plugin.name),
    knownModels: (provider: string) => core.models.known(config, provider),
  }
}

/** The host's log, for lines about a config: no secret of it in what they carry. */
export function maskedLog({ log, secrets }: HostCore, config: Config): Log {
  const mask = secrets.textMask(config)
  return (entry) => log(mapTexts(entry, mask) as typeof entry)
}

/** An error as it may leave the host: no secret of the config in its message. */
export function maskError(core: HostCore, config: Config, error: HostError): HostError {
  return withMessage(error, core.secrets.textMask(config)(error.message))
}

export async function maskErrors<T>(
  core: HostCore,
  config: Config,
  answer: Promise<T>,
): Promise<T> {
  try {
    return await answer
  } catch (error) {
    throw HostError.is(error) ? maskError(core, config, error) : error
  }
}

function freezeDiagnostic(diagnostic: Diagnostic): Diagnostic {
  return Object.freeze(diagnostic)
}

function maskDiagnostic(core: HostCore, config: Config, diagnostic: Diagnostic): Diagnostic {
  return { ...diagnostic, message: core.secrets.textMask(config)(diagnostic.message) }
}
