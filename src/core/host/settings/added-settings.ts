import { type Config, HostError, isObject, pointerOf, type Settings } from '@braidwork/plugin'
import type { AnyPlugin } from '@braidwork/plugin/internal'
import { faultIn, keepAdded, settingsFaults } from '../../config/index.ts'
import type { Elements } from '../../forms/index.ts'
import type { Resolved } from '../../resolve/index.ts'
import type { HostCore } from '../core.ts'
import { unnamedKeys, withoutKeys } from '../unnamed-keys.ts'
import { formElements } from './form-elements.ts'

/** Checks the settings of some plugins that are on. @throws {HostError} the first fault, for example SETTINGS_INVALID */
export async function checkGiven(
  core: HostCore,
  resolved: Resolved,
  plugins: readonly AnyPlugin[],
): Promise<void> {
  const [fault] = await givenFaults(core, resolved, plugins)
  if (fault) throw fault
}

/**
 * The faults of settings. A setting that `getUiElements` of its plugin adds to the form of this config must match the
 * schema of its element, and all others the schema of the plugin. Plugins without additional settings are not asked.
 * @param faultsOf checks the others; by default it finds the first fault of each plugin
 */
export async function givenFaults(
  core: HostCore,
  resolved: Resolved,
  plugins: readonly AnyPlugin[],
  faultsOf = settingsFaults,
): Promise<readonly HostError[]> {
  const { config } = resolved
  const asked = plugins.filter((plugin) => unnamedKeys(resolved, plugin).length > 0)
  if (asked.length === 0) return faultsOf(config, plugins)
  const { elements } = await formElements(core, resolved, asked)
  const faults = plugins.map(async (plugin) => {
    const added = addedKeys(resolved, plugin, elements.get(plugin.name))
    if (added.length === 0) return faultsOf(config, [plugin])
    const own = withoutKeys(config, plugin, added)
    const ofOwn = await faultsOf(own, [plugin])
    const ofAdded = await addedFaults(config, plugin, elements.get(plugin.name)?.settings ?? {})
    keepAdded(plugin, { whole: config, own })
    return [...ofOwn, ...ofAdded]
  })
  return (await Promise.all(faults)).flat()
}

/** The keys of settings that an element of the form offers and the schema of the plugin does not name. */
function addedKeys(resolved: Resolved, plugin: AnyPlugin, elements?: Elements): readonly string[] {
  const offered = elements?.settings ?? {}
  return unnamedKeys(resolved, plugin).filter((key) => Object.hasOwn(offered, key))
}

async function addedFaults(
  config: Config,
  plugin: AnyPlugin,
  schemas: Elements['settings'],
): Promise<readonly HostError[]> {
  const settings: Settings = config.settings?.[plugin.name] ?? {}
  const checks = Object.entries(schemas).map(async ([key, schema]) => {
    if (!isObject(schema) || !Object.hasOwn(settings, key)) return []
    const fault = await faultIn(schema, settings[key])
    if (!fault) return []
    const pointer = `${pointerOf(['settings', plugin.name, key])}${fault.pointer}`
    const message = `Settings of ${plugin.kind} "${plugin.name}" at ${pointer}: ${fault.message}`
    return [new HostError('SETTINGS_INVALID', message, { plugin: plugin.name, pointer })]
  })
  return (await Promise.all(checks)).flat()
}
