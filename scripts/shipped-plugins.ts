import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { readManifest } from '../src/core/load/manifest.ts'
import type { Kind, Plugin } from '../src/plugin/index.ts'
import { pythonPlugin } from './python-plugin.ts'

const ROOT = join(import.meta.dirname, '..')

export const GROUPS = ['providers', 'extensions', 'features', 'tools'] as const

/** A plugin of this repository with the data of its manifest. */
export interface ShippedPlugin {
  readonly kind: Kind
  readonly name: string
  /** Relative to the root, such as `tools/clock`. */
  readonly folder: string
  /** All tags that it may provide, according to its manifest. */
  readonly provides: readonly string[]
  readonly needs: readonly string[]
  readonly forbids: readonly string[]
  /** According to its manifest; absent if the manifest does not say. */
  readonly defaultEnabled?: boolean
  /** The default export of its source module; for a Python plugin its reported members. */
  readonly plugin: Plugin
}

let shipped: Promise<readonly ShippedPlugin[]> | undefined

/** All plugins of the repository by kind, in order of name. Asks each Python plugin once: that starts an interpreter. */
export function shippedPlugins(): Promise<readonly ShippedPlugin[]> {
  shipped ??= findPlugins()
  return shipped
}

async function findPlugins(): Promise<readonly ShippedPlugin[]> {
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

/** Imports the source of a built module: `dist/index.js` is built from `index.ts`. */
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
