import {
  type Caller,
  type Config,
  type Context,
  type Diagnostic,
  HostError,
  type Log,
} from '@braidwork/plugin'
import { type AnyPlugin, toHostError, withMessage } from '@braidwork/plugin/internal'
import {
  configDiagnostics,
  mapTexts,
  type RecentConfigs,
  type Secrets,
  type Variables,
} from '../config/index.ts'
import type { PythonLoader } from '../load/index.ts'
import { Resolved, resolve } from '../resolve/index.ts'
import type { PluginStorages } from '../storage.ts'
import { providerFault, withSettingsFaults } from './invalid-settings.ts'
import { maskedError } from './masked-error.ts'
import type { ModelCache } from './model-cache.ts'
import type { Registry } from './registry.ts'
import type { Closing } from './signals/closing.ts'

/** The values that all methods of a host share. */
export interface HostCore {
  readonly registry: Registry
  /** The config of `createHost`: the lowest layer of every request. */
  readonly config: Config
  /** Lays the layers of requests over it. */
  readonly recent: RecentConfigs
  /** The process's variables when the host was made: they fill the settings whose schemas name one. */
  readonly variables: Variables
  readonly secrets: Pick<
    Secrets,
    'fill' | 'keep' | 'viewOf' | 'masked' | 'textMask' | 'maskGiven' | 'echoes'
  >
  readonly storage: PluginStorages
  /** Whether a program gave the storage. Otherwise it is in memory. */
  readonly isStorageGiven: boolean
  readonly models: ModelCache
  readonly log: Log
  readonly protectedFiles: Context['protectedFiles'] | undefined
  /** Who asks, if the host is one of a caller. */
  readonly caller?: Caller
  readonly closing: Closing
  /** Loads the plugins in Python. It is closed after them. */
  readonly python: Pick<PythonLoader, 'close'>
}

/** The same values with another storage. @param make is given the storage so far, and whether a program gave it */
export function coreWithStorage(
  core: HostCore,
  make: (storage: PluginStorages, isGiven: boolean) => PluginStorages,
): HostCore {
  return { ...core, storage: make(core.storage, core.isStorageGiven), isStorageGiven: true }
}

/** @throws {HostError} HOST_CLOSED */
export function assertOpen({ closing }: HostCore): void {
  if (closing.signal.aborted)
    throw new HostError('HOST_CLOSED', 'The host was closed; create another.')
}

/** Merges a layer over the host's own config. @throws {HostError} CONFIG_INVALID, HOST_CLOSED */
export function configFor(core: HostCore, layer: unknown): Config {
  assertOpen(core)
  if (layer === undefined) return { ...core.config }
  return core.recent.over(layer)
}

/** The diagnostic for `plugins` in a request's config: plugins are loaded once, when the host is created. */
const PLUGINS_IGNORED: Diagnostic = {
  code: 'PLUGINS_IGNORED',
  level: 'warning',
  pointer: '/plugins',
  message: 'A request cannot load plugins; name them when you create the host.',
}

/** Resolves a config, for every method of the host. Diagnostics of loading and of the config come first. CL-01 */
export async function resolveFor(core: HostCore, given: Config): Promise<Resolved> {
  await core.registry.loadFor(given)
  const config = core.secrets.fill(given, core.variables)
  const { plugins } = core.registry
  assertLoaded(core.registry, config)
  const options = resolveOptions(core, config)
  const { settled } = await maskResolutionErrors(core, config, resolve(plugins, config, options))
  const told = settled.threw.size === 0 ? settled : await withSettingsFaults(settled)
  return new ResolvedByHost(core, config, told)
}

/** A resolution with the diagnostics of loading and of the config. */
class ResolvedByHost extends Resolved {
  readonly #core: HostCore
  readonly #given: Config
  #found: readonly Diagnostic[] | undefined

  constructor(core: HostCore, given: Config, settled: Resolved['settled']) {
    super(settled)
    this.#core = core
    this.#given = given
  }

  override get diagnostics(): readonly Diagnostic[] {
    this.#found ??= diagnosticsOf(this.#core, this.#given, super.diagnostics)
    return this.#found
  }
}

function diagnosticsOf(
  core: HostCore,
  config: Config,
  diagnostics: readonly Diagnostic[],
): readonly Diagnostic[] {
  const all = [
    ...loadDiagnostics(core.registry, config),
    ...configDiagnostics(config, core.registry.plugins, (name) => !core.registry.failureOf(name)),
    ...(config.plugins === core.config.plugins ? [] : [PLUGINS_IGNORED]),
    ...diagnostics.map((diagnostic) => maskDiagnostic(core, config, diagnostic)),
  ]
  return Object.freeze(all.map(freezeDiagnostic))
}

/** Throws the load error of the config's provider: a provider that failed to load is registered, and not unknown. */
function assertLoaded(registry: Registry, { provider }: Config): void {
  const failure = provider === undefined ? undefined : registry.failureOf(provider)
  if (!failure) return
  throw new HostError(failure.code, failure.message, { plugin: provider, provider })
}

/** Awaits a resolution and masks secrets in its errors. */
export function maskResolutionErrors<T>(
  core: HostCore,
  config: Config,
  resolving: Promise<T>,
): Promise<T> {
  const answer = resolving.catch(async (error: unknown) => {
    if (!HostError.is(error)) throw error
    throw await providerFault(withLoadErrors(core.registry, error), config, core.registry.plugins)
  })
  return maskErrors(core, config, answer)
}

/** Adds load errors to an error about the provider: no resolution exists that could show them as diagnostics. */
function withLoadErrors({ diagnostics }: Registry, error: HostError): HostError {
  if (!['PROVIDER_UNKNOWN', 'PROVIDER_MISSING'].includes(error.code)) return error
  const lacking = diagnostics.filter(({ level }) => level === 'error')
  return withMessage(error, [error, ...lacking].map(({ message }) => message).join(' '))
}

/** The plugins that a config names to be on. */
export function namedIn(config: Config): ReadonlySet<string> {
  const { enabled_plugins: enabled = [], force_enabled_plugins: forced = [] } = config
  return new Set([...enabled, ...forced])
}

/** Diagnostics of loading. They are raised to errors for plugins that the config names. */
function loadDiagnostics({ diagnostics }: Registry, config: Config): readonly Diagnostic[] {
  if (diagnostics.length === 0) return diagnostics
  const named = namedIn(config)
  return diagnostics.map((diagnostic) =>
    named.has(diagnostic.plugin ?? '') && diagnostic.level === 'info'
      ? { ...diagnostic, level: 'error' }
      : diagnostic,
  )
}

export function resolveOptions(core: HostCore, config: Config) {
  return {
    configOf: (seen: Config, plugin: AnyPlugin) => core.secrets.viewOf(seen, plugin.name),
    knownModels: (provider: string) => core.models.known(config, provider),
  }
}

/** A log that masks the secrets of a config in its lines. */
export function maskedLog(
  { log, secrets }: Pick<HostCore, 'log' | 'secrets'>,
  config: Config,
): Log {
  const mask = secrets.textMask(config)
  return (entry) => log(mapTexts(entry, mask) as typeof entry)
}

/** Masks the secrets of the host's config and of recent requests, in output that belongs to no request. */
export function outputMask(secrets: HostCore['secrets'], config: Config): (text: string) => string {
  const mask = secrets.textMask(config)
  return (text) => mask(secrets.maskGiven(text))
}

/** Writes warnings to the log, for which nobody asked otherwise. */
export function warnLog(core: HostCore, config: Config): (message: string) => void {
  return (message) => maskedLog(core, config)({ level: 'warn', message })
}

/** Masks the secrets of a config in an error's message and in its causes. */
export function maskError(core: HostCore, config: Config, error: HostError): HostError {
  return maskedError(error, core.secrets.textMask(config))
}

export async function maskErrors<T>(
  core: HostCore,
  config: Config,
  answer: Promise<T>,
): Promise<T> {
  try {
    return await answer
  } catch (error) {
    throw maskError(core, config, toHostError(error))
  }
}

function freezeDiagnostic(diagnostic: Diagnostic): Diagnostic {
  return Object.freeze(diagnostic)
}

function maskDiagnostic(core: HostCore, config: Config, diagnostic: Diagnostic): Diagnostic {
  return { ...diagnostic, message: core.secrets.textMask(config)(diagnostic.message) }
}
