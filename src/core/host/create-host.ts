import type { Diagnostic, Log } from '@braidwork/plugin'
import { frozenCopy } from '@braidwork/plugin/internal'
import {
  checkReferring,
  fillReferences,
  mapTexts,
  mergeLayers,
  RecentConfigs,
  Secrets,
} from '../config/index.ts'
import {
  folderNamed,
  otherVersions,
  type PythonLoader,
  pythonLoader,
  withSettingPaths,
} from '../load/index.ts'
import { MemoryValues } from '../storage.ts'
import { type HostCore, outputMask } from './core.ts'
import { Host } from './host.ts'
import { checkOptions, type HostOptions } from './host-options.ts'
import { ModelCache } from './model-cache.ts'
import { Registry } from './registry.ts'
import { Closing } from './signals/closing.ts'
import { allowListeners } from './signals/listeners.ts'

/**
 * Creates a host. A fault of one plugin turns that plugin off and becomes a diagnostic of every resolution.
 * @throws {HostError} CONFIG_INVALID, ENV_MISSING, OPTION_INVALID
 */
export async function createHost(options: HostOptions): Promise<Host> {
  return createHostWith(options)
}

/**
 * As `createHost`, for plugins that were read by a loader of Python plugins before: the host closes it.
 * @throws {HostError} CONFIG_INVALID, ENV_MISSING, OPTION_INVALID
 */
export async function createHostWith(options: HostOptions, loader?: PythonLoader): Promise<Host> {
  const { plugins: listed = [], log = () => undefined } = checkOptions(options)
  const given = checkReferring(options.config ?? {}, process.env)
  const { config: layer, secrets: values } = fillReferences(given, process.env)
  const from = options.from === undefined ? undefined : folderNamed(options.from)
  // All requests share it, so a plugin that changed it would change the requests of others.
  const base = frozenCopy(mergeLayers(from === undefined ? layer : withSettingPaths(layer, from)))
  const secrets = new Secrets(values)
  let mask = outputMask(secrets, base)
  const print: Log = (entry) => log(mapTexts(entry, mask) as typeof entry)
  const python = loader ?? pythonLoader({ ...options.python, log: print })
  const references = [...listed, ...(base.plugins ?? [])]
  const registry = await Registry.of(references, {
    python,
    from,
    secrets,
    onDiagnostic: (diagnostic) => logDiagnostic(diagnostic, print),
    diagnostics: otherVersions(),
  })
  const closing = new Closing()
  // Hooks outside requests listen to it. Without this, Node warns of a leak at the eleventh listener.
  allowListeners(closing.signal)
  const core: HostCore = {
    registry,
    config: base,
    recent: new RecentConfigs(base),
    variables: { ...process.env },
    secrets,
    storage: options.storage ?? new MemoryValues(),
    isStorageGiven: options.storage !== undefined,
    models: new ModelCache(),
    log,
    protectedFiles: options.protectedFiles,
    closing,
    python,
  }
  // The plugins are registered now, so their secrets are known and the log masks them from here on.
  mask = outputMask(secrets, base)
  return new Host(core)
}

/** Logs a diagnostic, because some programs never look at a resolution. */
function logDiagnostic({ level, message, code, plugin }: Diagnostic, log: Log): void {
  if (level === 'info') return
  log({ level: level === 'error' ? level : 'warn', message, code, ...(plugin ? { plugin } : {}) })
}
