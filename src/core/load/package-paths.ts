import { resolve } from 'node:path'
import { isObject } from '@braidwork/plugin'
import type { ConfigLayer } from '../config/index.ts'
import { bundledPackage } from './bundled.ts'
import { isPath, packageFolder, workspaceFolder } from './locate.ts'

/** The setting of any plugin that names an npm package, which the plugin imports. */
const PACKAGE_SETTING = 'npm_package'

/**
 * Makes the names in the config of a file absolute. Paths of plugins are relative to the file's folder; packages of
 * plugins, and those that settings name, are searched from there. Names of bundled plugins stay.
 */
export function withPackagePaths(config: ConfigLayer, folder: string): ConfigLayer {
  const plugins = config.plugins?.map((name) => {
    if (isPath(name)) return resolve(folder, name)
    if (bundledPackage(name) !== undefined) return name
    return packageFolder(name, folder) ?? workspaceFolder(name, folder) ?? name
  })
  return { ...withSettingPaths(config, folder), ...(plugins ? { plugins } : {}) }
}

/** Makes the names of packages in settings absolute. They are searched from a folder upwards. */
export function withSettingPaths(config: ConfigLayer, folder: string): ConfigLayer {
  return config.settings ? { ...config, settings: settingsIn(config.settings, folder) } : config
}

type Settings = NonNullable<ConfigLayer['settings']>

function settingsIn(settings: Settings, folder: string): Settings {
  return Object.fromEntries(
    Object.entries(settings).map(([plugin, own]) => {
      const name: unknown = isObject(own) ? own[PACKAGE_SETTING] : undefined
      if (typeof name !== 'string' || isPath(name)) return [plugin, own]
      return [plugin, { ...own, [PACKAGE_SETTING]: exportPath(name, folder) ?? name }]
    }),
  )
}

/** The path of an installed package, with the path of its export, as in `@ai-sdk/google-vertex/anthropic`. */
function exportPath(name: string, folder: string): string | undefined {
  const parts = name.split('/')
  const length = name.startsWith('@') ? 2 : 1
  const installed = packageFolder(parts.slice(0, length).join('/'), folder)
  return installed && [installed, ...parts.slice(length)].join('/')
}
