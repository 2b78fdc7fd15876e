/** The config of the host itself, as it is shown, checked and described to its owner. */
import type { HostError } from '@braidwork/plugin'
import { type ConfigLayer, fillReferences, settingsFaults } from '../config/index.ts'
import { editorSchema } from '../forms/index.ts'
import type { HostCore } from './core.ts'

/** A config with its secrets as `{"$secret": true}`, as far as schemas of loaded plugins mark them. */
export function masked({ secrets }: HostCore, config: ConfigLayer): ConfigLayer {
  const { settings = {} } = config
  return { ...config, ...secrets.masked({ settings }) }
}

/** A layer with each `${env:NAME}` filled in; one without a value stays as it is. Its values are secrets from then on. */
export function filled({ variables, secrets }: HostCore, layer: ConfigLayer): ConfigLayer {
  const { config, secrets: values } = fillReferences(layer, { ...unsetIn(layer), ...variables })
  secrets.keep(values)
  return config
}

/** The host's config with values of variables filled in, and its secrets as `{"$secret": true}`. */
export async function shownConfig(core: HostCore): Promise<ConfigLayer> {
  const { registry, secrets, config, variables } = core
  // The schemas of plugins say which settings are secret.
  await registry.loadAll()
  return secrets.masked(secrets.fill(config, variables))
}

/** What is wrong with the settings of the host's config, by the schemas of all registered plugins. */
export async function configFaults(core: HostCore): Promise<readonly HostError[]> {
  const { registry, secrets, config, variables } = core
  await registry.loadAll()
  return settingsFaults(secrets.fill(config, variables), registry.plugins)
}

/** JSON Schema of a config, for editors, with the settings of all registered plugins. */
export async function schemaForEditors({
  registry,
}: HostCore): Promise<ReturnType<typeof editorSchema>> {
  await registry.loadAll()
  return editorSchema(registry.plugins, registry.descriptions)
}

/** For each variable that a config names, the reference itself. */
function unsetIn(config: ConfigLayer): { readonly [variable: string]: string } {
  const references = [...JSON.stringify(config).matchAll(/\$\{env:([^{}"\\]*)\}/g)]
  return Object.fromEntries(references.map(([reference, name = '']) => [name, reference]))
}
