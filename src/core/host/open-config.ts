import type { Config } from '@braidwork/plugin'
import type { ConfigLayer } from '../config/index.ts'
import { settle } from '../hooks/index.ts'
import type { Resolved } from '../resolve/index.ts'
import { assertOpen, configFor, type HostCore, maskErrors, namedIn, resolveFor } from './core.ts'
import { OPEN_KINDS, type Opening, type OpenOptions } from './open-options.ts'
import { OpenedConfig } from './opened-config.ts'
import { assertOptionKinds } from './option-kinds.ts'
import { checkGiven } from './settings/added-settings.ts'
import { pluginsOf } from './settings/form-elements.ts'
import { allowListeners } from './signals/listeners.ts'

/**
 * Resolves and opens a config. No tool has been asked for its schemas yet.
 * @throws {HostError} SETTINGS_INVALID, HOOK_FAILED, PYTHON_CRASHED, and the errors of resolution
 */
export async function openConfig(
  core: HostCore,
  config: Config,
  opening: Omit<Opening, 'check'>,
): Promise<OpenedConfig> {
  const resolved = await resolveFor(core, config)
  assertRunning(resolved)
  return openResolved(core, resolved, opening)
}

/**
 * Fails while a plugin that the config names cannot run because its interpreter ended: it may be a filter, without
 * which no answer must go out. Other plugins are off with a diagnostic.
 * @throws {HostError} PYTHON_CRASHED
 */
function assertRunning({ settled: { threw }, config }: Resolved): void {
  if (threw.size === 0) return
  const named = namedIn(config)
  for (const [{ name }, error] of threw) {
    if (error.code === 'PYTHON_CRASHED' && named.has(name)) throw error
  }
}

/** Tells the caller what resolution found wrong. It is told here because a run opens its config only once. */
function tellFaults(resolved: Resolved, { listener }: Opening): void {
  if (!listener?.warn) return
  for (const { level, message } of resolved.diagnostics)
    if (level !== 'info') listener.warn(message)
}

/** Opens a config that is already resolved. */
export function openResolved(
  core: HostCore,
  resolved: Resolved,
  given: Omit<Opening, 'check'>,
): Promise<OpenedConfig> {
  const check = (one: Resolved) => checkGiven(core, one, pluginsOf(one))
  const opening = { ...given, check }
  tellFaults(resolved, opening)
  return maskErrors(core, resolved.config, OpenedConfig.of(core, resolved, opening))
}

/**
 * Opens a config for a caller of the host, with its tools on offer.
 * @throws {HostError} HOST_CLOSED, OPTION_INVALID, CONFIG_INVALID, SETTINGS_INVALID, TOOL_NAME_TAKEN, and the errors of resolution
 */
export async function openForCaller(
  core: HostCore,
  config: ConfigLayer | undefined,
  options: OpenOptions,
): Promise<OpenedConfig> {
  assertOpen(core)
  assertOptionKinds('host.open', options, OPEN_KINDS)
  const cancel = options.cancel ?? ownController()
  const from = options.cancel ? undefined : options.signal
  const onEnd = core.closing.link(cancel, from)
  const { signal } = cancel
  let opened: OpenedConfig | undefined
  try {
    const opening = { ...options, signal, onEnd }
    const offering = async () => {
      opened = await openConfig(core, configFor(core, config), opening)
      // Nobody waits for it any more: the plugins are not asked for their tools.
      if (signal.aborted) opened.end()
      await opened.offer()
      return opened
    }
    return await settle(offering(), { signal })
  } catch (error) {
    opened?.end()
    onEnd()
    throw error
  }
}

/** Every call may listen to its signal. Without `allowListeners`, Node warns of a leak at the eleventh listener. */
function ownController(): AbortController {
  const controller = new AbortController()
  allowListeners(controller.signal)
  return controller
}
