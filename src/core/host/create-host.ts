import { setMaxListeners } from 'node:events'
import type { Diagnostic, Log } from '@braidwork/plugin'
import { checkConfig, fillReferences, mergeLayers, Secrets } from '../config/index.ts'
import { MemoryStorage } from '../hooks/index.ts'
import { pythonLoader } from '../load/index.ts'
import { type HostCore, maskedLog } from './core.ts'
import { Host } from './host.ts'
import { checkOptions, type HostOptions } from './host-options.ts'
import { ModelCache } from './model-cache.ts'
import { Registry } from './registry.ts'

/**
 * A host of plugins. What is wrong with one plugin is a diagnostic of every resolution, and that plugin
 * is off.
 * @throws {HostError} CONFIG_INVALID, ENV_MISSING, OPTION_INVALID
 */
export async function createHost(options: HostOptions): Promise<Host> {
  const { plugins: listed = [], log = () => undefined } = checkOptions(options)
  const given = checkConfig(options.config ?? {})
  const { config: layer, secrets: values } = fillReferences(given, process.env)
  const base = mergeLayers(layer)
  const secrets = new Secrets(values)
  let print = maskedLog({ log, secrets }, base)
  const python = pythonLoader({ ...options.python, log: (entry) => print(entry) })
  const references = [...listed, ...(base.plugins ?? [])]
  const onDiagnostic = (diagnostic: Diagnostic): void => logDiagnostic(diagnostic, print)
  const registry = await Registry.of(references, { python, secrets, onDiagnostic })
  const closing = new AbortController()
  // Each request listens to it; Node would warn of a leak from the eleventh on.
  setMaxListeners(0, closing.signal)
  const core: HostCore = {
    registry,
    config: base,
    variables: { ...process.env },
    secrets,
    storage: options.storage ?? new MemoryStorage(),
    models: new ModelCache(),
    log,
    protectedFiles: options.protectedFiles,
    closing: closing.signal,
  }
  // What is secret to the plugins themselves is known by now.
  print = maskedLog(core, core.config)
  return new Host(core, closing)
}

/** A program may never look at a resolution: what keeps a plugin off is in the log too. */
function logDiagnostic({ level, message, code, plugin }: Diagnostic, log: Log): void {
  if (level === 'info') return
  log({ level: level === 'error' ? level : 'warn', message, code, ...(plugin ? { plugin } : {}) })
}
