import { type ConfigLayer, type Host, mergeLayers } from '@braidwork/core'
import type { JsonObject, Kind } from '@braidwork/plugin'

/**
 * A config layer under which the model is offered no tools: none of tool plugins, and none that the provider's API runs
 * itself.
 * @param more other kinds of plugins that are off under it
 */
export function toolless(host: Host, config: ConfigLayer, more: readonly Kind[] = []): ConfigLayer {
  const whole = mergeLayers(host.config, config)
  const kinds: readonly Kind[] = ['tool', ...more]
  const off = host.plugins.filter(({ kind }) => kinds.includes(kind)).map(({ name }) => name)
  const without = (ids: readonly string[] = []) => ids.filter((id) => !off.includes(id))
  return {
    disabled_plugins: [...without(whole.disabled_plugins), ...off],
    enabled_plugins: without(whole.enabled_plugins),
    force_enabled_plugins: without(whole.force_enabled_plugins),
    settings: hostedByNone(whole.settings ?? {}),
  }
}

/** Tools that the model API runs itself are a setting of the provider. */
function hostedByNone(settings: { readonly [plugin: string]: unknown }) {
  const hosting = Object.entries(settings).filter(
    ([, own]) => typeof own === 'object' && own !== null && 'hosted_tools' in own,
  )
  return Object.fromEntries(
    hosting.map(([plugin]): [string, JsonObject] => [plugin, { hosted_tools: [] }]),
  )
}
