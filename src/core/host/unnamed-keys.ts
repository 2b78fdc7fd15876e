import { type Config, isObject } from '@braidwork/plugin'
import type { AnyPlugin } from '@braidwork/plugin/internal'
import { readableSettingsSchema } from '../config/index.ts'
import { hasHook } from '../hooks/index.ts'
import type { Resolved } from '../resolve/index.ts'

/** The keys in the settings of a plugin that only an element of the form can explain: its schema does not name them. */
export function unnamedKeys({ config }: Pick<Resolved, 'config'>, plugin: AnyPlugin): string[] {
  const settings = config.settings?.[plugin.name]
  if (!isObject(settings) || !hasHook(plugin, 'getUiElements')) return []
  const { properties } = readableSettingsSchema(plugin) ?? {}
  return Object.keys(settings).filter(
    (key) => !isObject(properties) || !Object.hasOwn(properties, key),
  )
}

/** The config without some settings of a plugin. */
export function withoutKeys(config: Config, { name }: AnyPlugin, keys: readonly string[]): Config {
  if (keys.length === 0) return config
  const own = Object.entries(config.settings?.[name] ?? {}).filter(([key]) => !keys.includes(key))
  return { ...config, settings: { ...config.settings, [name]: Object.fromEntries(own) } }
}
