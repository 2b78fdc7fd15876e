import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { readManifest } from '../src/core/load/manifest.ts'
import type { Kind, Plugin } from '../src/plugin/index.ts'
import { pythonPlugin } from './python-plugin.ts'

const ROOT = join(import.meta.dirname, '..')

export const GROUPS = ['providers', 'extensions', 'features', 'tools'] as const

/** A plugin of this repository: what its manifest says, and what it is. */
export interface ShippedPlugin {
  readonly kind: Kind
  readonly name: string
  /** From the root, such as `tools/clock`. */
  readonly folder: string
  /** All tags that it may provide, by its manifest. */
  readonly provides: readonly string[]
  readonly needs: readonly string[]
  readonly forbids: readonly string[]
  /** By its manifest; nothing where that does not say. */
  readonly defaultEnabled?: boolean
  /** The module's default export, from its source; of one in Python, what it says of itself. */
  readonly plugin: Plugin
}

/** Every plugin of the repository, kind by kind, in order of name. */
export async function shippedPlugins(): Promise<readonly ShippedPlugin[]> {
  const folders = GROUPS.flatMap((group) =>
    readdirSync(join(ROOT, group))
      .toSorted()
      .map((name) => `${group}/${name}`)
      .filter((folder) => existsSync(join(ROOT, folder, 'package.json'))),
  )
  return (await Promise.all(folders.map(pluginsIn))).flat()
}

async function pluginsIn(folder: string): Promise<readonly ShippedPlugin[]> {
  const { plugins = [] } = readManifest(join(ROOT, folder)) ?? {}
  return Promise.all(
    plugins.map(async ({ kind, name, entry, tags = [], ...manifest }) => {
      const plugin = entry.endsWith('.py')
        ? await pythonPlugin(kind, name, entry)
        : await importPlugin(folder, entry)
      const needs = listOf('requiredTags' in plugin ? plugin.requiredTags : undefined)
      const forbids = listOf('forbiddenTags' in plugin ? plugin.forbiddenTags : undefined)
      const said = { kind, name, folder, provides: tags, needs, forbids, plugin }
      const { defaultEnabled } = manifest
      return defaultEnabled === undefined ? said : { ...said, defaultEnabled }
    }),
  )
}

/** Of what is built, the source: `dist/index.js` is made of `index.ts`. */
async function importPlugin(folder: string, entry: string): Promise<Plugin> {
  const source = `${entry.slice(entry.lastIndexOf('/') + 1, -'.js'.length)}.ts`
  const module = (await import(pathToFileURL(join(ROOT, folder, source)).href)) as {
    readonly default: Plugin
  }
  return module.default
}

function listOf(value: readonly string[] | (() => readonly string[]) | undefined) {
  return (typeof value === 'function' ? value() : value) ?? []
}
