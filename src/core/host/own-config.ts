/** Shows, checks and describes the config of the host itself. */
import { HostError } from '@braidwork/plugin'
import {
  allSettingsFaults,
  type ConfigLayer,
  fillReferences,
  settingsFaults,
  unsetIn,
} from '../config/index.ts'
import { editorSchema } from '../forms/index.ts'
import { configFor, type HostCore, resolveFor } from './core.ts'
import { givenFaults } from './settings/added-settings.ts'
import { pluginsOf } from './settings/form-elements.ts'

/**
 * Copies a config and replaces the secrets in its settings with `{"$secret": true}`. The schemas of the loaded plugins
 * mark secrets. Values from environment variables are secret too.
 */
export function masked({ secrets }: HostCore, config: ConfigLayer): ConfigLayer {
  const { settings = {} } = config
  return { ...config, ...secrets.masked({ settings }) }
}

/**
 * Fills in each `${env:NAME}` of a layer. From then on, the values count as secrets.
 * @param owner how the error of an unset variable names the layer. Without it, references to those stay
 * @throws {HostError} ENV_MISSING, with a pointer to the key
 */
export function filled(
  { variables, secrets }: HostCore,
  layer: ConfigLayer,
  owner?: string,
): ConfigLayer {
  const known = owner === undefined ? { ...unsetIn(layer), ...variables } : variables
  const { config, secrets: values } = fillReferences(layer, known, owner)
  secrets.keep(values)
  return config
}

/** The effective config, with the values of environment variables. Every secret is replaced with `{"$secret": true}`. */
export async function shownConfig(core: HostCore): Promise<ConfigLayer> {
  const { registry, secrets, config, variables } = core
  // The schemas of plugins say which settings are secret.
  await registry.loadAll()
  return secrets.masked(secrets.fill(config, variables))
}

/**
 * Checks the settings of the host's config against the schemas of all registered plugins, and tells the first fault of
 * each. Of a given config, it tells all faults in the settings of the plugins that are on for it.
 * @throws {HostError} with a given config: CONFIG_INVALID, and the errors of its resolution
 */
export async function configFaults(
  core: HostCore,
  given?: ConfigLayer,
): Promise<readonly HostError[]> {
  if (given) return faultsFor(core, given)
  const { registry, secrets, config, variables } = core
  await registry.loadAll()
  const resolved = await resolveFor(core, config).catch(noneIfFaulty)
  const on = new Set(resolved && pluginsOf(resolved))
  const off = registry.plugins.filter((plugin) => !on.has(plugin))
  const faults = await settingsFaults(secrets.fill(config, variables), off)
  const all: HostError[] = resolved
    ? [...faults, ...(await givenFaults(core, resolved, [...on]))]
    : [...faults]
  const place = ({ plugin }: HostError) => registry.plugins.findIndex(({ name }) => name === plugin)
  return all.sort((one, other) => place(one) - place(other))
}

async function faultsFor(core: HostCore, config: ConfigLayer): Promise<readonly HostError[]> {
  const resolved = await resolveFor(core, configFor(core, config))
  return givenFaults(core, resolved, pluginsOf(resolved), allSettingsFaults)
}

/** No resolution, for a config with a fault, which `resolve` and `open` tell. */
function noneIfFaulty(error: unknown): undefined {
  if (!HostError.is(error)) throw error
}

/** The JSON Schema of a config, for editors. It includes the settings of all registered plugins. */
export async function schemaForEditors({
  registry,
}: HostCore): Promise<ReturnType<typeof editorSchema>> {
  await registry.loadAll()
  return editorSchema(registry.plugins, registry.descriptions)
}
