import type { ConfigLayer, Host } from '@braidwork/core'
import { stackLayers } from '@braidwork/core/internal'
import { HostError } from '@braidwork/plugin'
import { asSentence, toHostError } from '@braidwork/plugin/internal'
import { forCaller } from '../dialect.ts'

/** A config with what a caller sets, and the same one without. */
export interface Layered {
  readonly config: ConfigLayer
  readonly without: ConfigLayer
  /** The names of the plugins that the caller sets something of. */
  readonly plugins: readonly string[]
}

/** The faults of settings that are there only because of what a caller sets. */
export async function callerFaults(
  host: Host,
  { config, without, plugins }: Layered,
): Promise<readonly HostError[]> {
  const faults = await faultsOf(host, config)
  if (faults.length === 0) return toolSettingsFaults(host, config, plugins)
  const others = new Set((await faultsOf(host, without)).map(({ pointer }) => pointer))
  return faults.filter(({ pointer }) => !others.has(pointer))
}

/** The faults of the settings in a config. A provider may fail because of one before all are checked. */
export async function faultsOf(host: Host, config: ConfigLayer): Promise<readonly HostError[]> {
  try {
    return await host.settingsFaults(config)
  } catch (error) {
    const failure = toHostError(error)
    if (failure.code !== 'SETTINGS_INVALID') throw error
    return [failure]
  }
}

/** The faults of settings that no schema expresses, such as an unknown time zone: tools find them when they begin. */
export async function toolSettingsFaults(
  host: Host,
  config: ConfigLayer,
  plugins: readonly string[],
): Promise<readonly HostError[]> {
  const tools = host.plugins.filter(({ kind }) => kind === 'tool').map(({ name }) => name)
  const others = tools.filter((name) => !plugins.includes(name))
  if (others.length === tools.length) return []
  try {
    await host.toolSchemas(stackLayers(config, { disabled_plugins: { add: others } }))
    return []
  } catch (error) {
    const failure = toHostError(error)
    // Any other failure is told by the run that meets it.
    return failure.code === 'SETTINGS_INVALID' ? [failure] : []
  }
}

/** The error of a request that the caller's own stored settings prevent. The caller may read it. */
export function storedFault(host: Host, { message, pointer }: HostError): HostError {
  const text = `Your settings are not valid. ${asSentence(message)} Correct them in the settings of your chats, or forget them there ("PUT" or "DELETE /api/settings").`
  return invalid(host, text, pointer)
}

/** The error of a change of settings that leads to a fault. The caller may read it. */
export function changeFault(host: Host, { message, pointer }: HostError): HostError {
  return invalid(host, `The settings are not valid: ${asSentence(message)}`, pointer)
}

function invalid(host: Host, message: string, pointer: string | undefined): HostError {
  return forCaller(new HostError('SETTINGS_INVALID', host.maskTexts(message), { pointer }))
}
