import type { ConfigLayer, Host } from '@braidwork/core'
import { pointerPath } from '@braidwork/core/internal'
import { type Diagnostic, HostError, pointerOf } from '@braidwork/plugin'
import { asSentence } from '@braidwork/plugin/internal'
import type { PublishedModels } from '../published.ts'
import { faultsOf } from './caller-faults.ts'

interface Settable {
  /** JSON pointers of the settings that callers may give. What they may give may be missing until then. */
  readonly settable?: readonly string[] | undefined
}

/**
 * The faults in the plugin settings of published models, with which each of their requests would fail. Those of the
 * host's own config are told for the first model that has them. A plugin that fails is a matter of the request.
 * @returns diagnostics whose pointers lead from the config, or from the settings of a model below `/models`
 */
export async function modelSettingsFaults(
  host: Host,
  models: PublishedModels,
  { settable = [] }: Settable = {},
): Promise<readonly Diagnostic[]> {
  const found: Diagnostic[] = []
  const told = new Set<string>()
  for (const [name, { config = {} }] of Object.entries(models)) {
    for (const { code, message, plugin, pointer = '' } of await knownFaults(host, config)) {
      const place = isIn(config, pointer) ? pointerOf(['models', name, 'config']) : ''
      if (isBelow(pointer, settable) || told.has(`${place}${pointer}`)) continue
      told.add(`${place}${pointer}`)
      found.push({
        code,
        level: 'error',
        message,
        pointer: `${place}${pointer}`,
        ...(plugin === undefined ? {} : { plugin }),
      })
    }
  }
  return found
}

/** @throws {HostError} SETTINGS_INVALID, with a pointer */
export async function assertModelSettings(
  host: Host,
  models: PublishedModels,
  options: Settable,
): Promise<void> {
  const [fault] = await modelSettingsFaults(host, models, options)
  if (!fault) return
  const { code, message, plugin, pointer } = fault
  const [root, name] = pointerPath(pointer ?? '')
  const of = root === 'models' ? `The model "${name}"` : 'The models'
  const text = `${of} cannot be published: ${asSentence(message)}`
  throw new HostError(code, text, { plugin, pointer })
}

async function knownFaults(host: Host, config: ConfigLayer): Promise<readonly HostError[]> {
  try {
    return await faultsOf(host, config)
  } catch (error) {
    if (HostError.is(error)) return []
    throw error
  }
}

/** Whether a config has the settings of the plugin to which a pointer leads. */
function isIn(config: ConfigLayer, pointer: string): boolean {
  const { settings = {} } = config
  return isBelow(
    pointer,
    Object.keys(settings).map((plugin) => pointerOf(['settings', plugin])),
  )
}

function isBelow(pointer: string, places: readonly string[]): boolean {
  return places.some((place) => `${pointer}/`.startsWith(`${place}/`))
}
