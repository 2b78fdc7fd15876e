import { type Config, HostError } from '@braidwork/plugin'
import { type AnyPlugin, withFacts } from '@braidwork/plugin/internal'
import { settingsFaults } from '../config/index.ts'
import type { Resolved } from '../resolve/index.ts'
import { unnamedKeys, withoutKeys } from './unnamed-keys.ts'

type Settled = Resolved['settled']

/**
 * The error of the provider, which threw during resolution. If its settings are invalid, they are the fault: its hooks
 * got settings that they need not expect.
 */
export async function providerFault(
  error: HostError,
  config: Config,
  plugins: readonly AnyPlugin[],
): Promise<HostError> {
  if (error.code !== 'RESOLUTION_FAILED') return error
  const provider = plugins.find(({ name }) => name === error.provider)
  return retryableAs(error.cause, provider ? await faultOf(provider, config, error) : error)
}

/** An error that may be tried again, if its cause was a process that ended. */
function retryableAs(cause: unknown, error: HostError): HostError {
  if (!HostError.is(cause) || cause.code !== 'PYTHON_CRASHED') return error
  const { retryable, retryAfter } = cause
  return withFacts(error, { retryable, retryAfter })
}

/** The same for the other plugins that threw. Each of them is off, and its error is among the diagnostics. */
export async function withSettingsFaults(settled: Settled): Promise<Settled> {
  const threw = [...settled.threw].map(async ([plugin, error]) => {
    return [plugin, await faultOf(plugin, settled.config, error)] as const
  })
  return { ...settled, threw: new Map(await Promise.all(threw)) }
}

/** @returns the first fault of the plugin's settings with the error as its cause; the error if there is none */
async function faultOf(plugin: AnyPlugin, config: Config, error: HostError): Promise<HostError> {
  const named = withoutKeys(config, plugin, unnamedKeys({ config }, plugin))
  const [fault] = await settingsFaults(named, [plugin])
  if (!fault) return error
  const { provider, phase } = error
  return new HostError(fault.code, fault.message, {
    plugin: plugin.name,
    pointer: fault.pointer,
    cause: error,
    ...(provider === undefined ? {} : { provider }),
    ...(phase === undefined ? {} : { phase }),
  })
}
