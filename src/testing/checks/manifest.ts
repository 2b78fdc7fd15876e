import { resolve } from 'node:path'
import { isFolder, isPath, readManifest } from '@braidwork/core/internal'
import { HOOKS } from '@braidwork/plugin'
import type { Harness } from '../harness/index.ts'
import { type Check, fault, unjudged } from './check.ts'

type Plugin = NonNullable<ReturnType<typeof readManifest>>['plugins'][number]

/** What a manifest says of hooks, tools, tags and variables. The host checks the other members. */
const agrees: Check = {
  name: 'is what its manifest says',
  about: 'testing.md#the-manifest',
  async run(harness) {
    const { hooks, tools, variables, tags } = statedOf(harness)
    isAll('hooks', hooks, hooksOf(harness))
    const names = tools?.map(({ name }) => name)
    if (names) isAll('tools', names, await toolsOf(harness))
    // A plugin may read more variables than its settings name, and have fewer tags with some models.
    hasAll('variables', variables, variablesOf(harness))
    if (tags) hasAll('tags', tags, await tagsOf(harness))
  },
}

type Names = readonly string[]

function isAll(member: string, stated: Names | undefined, found: Names): void {
  if (stated === undefined) return
  const isSame = stated.length === found.length && stated.every((one) => found.includes(one))
  if (isSame) return
  fault(
    `The manifest says "${member}": ${JSON.stringify(stated)}, but the plugin has ${JSON.stringify(found)}. ${ADVICE}`,
  )
}

function hasAll(member: string, stated: Names | undefined, found: Names): void {
  const more = stated && found.filter((one) => !stated.includes(one))
  if (!more || more.length === 0) return
  fault(
    `"${member}" of the manifest lacks ${JSON.stringify(more)}, which the plugin has. ${ADVICE}`,
  )
}

const ADVICE =
  'Correct the manifest, or build the package again if its code is older than its source.'

/** The plugin in the manifest. @throws {NotJudged} if the suite was not given the folder of a package */
function statedOf({ given, name }: Harness): Plugin {
  const path = typeof given === 'string' && isPath(given) ? resolve(given) : undefined
  const manifest = path !== undefined && isFolder(path) ? readManifest(path) : undefined
  const found = manifest?.plugins.find((plugin) => plugin.name === name)
  return found ?? unjudged('pass the folder of the package, which has a manifest')
}

function hooksOf(harness: Harness): readonly string[] {
  return Object.keys(HOOKS).filter((hook) => harness.has(hook))
}

async function toolsOf({ trial: { host, config, plugin } }: Harness): Promise<readonly string[]> {
  if (plugin.kind !== 'tool') return []
  const tools = await host.toolSchemas(config).catch(() => unjudged('no tools are offered'))
  return tools.filter((tool) => tool.plugin === plugin.name).map(({ name }) => name)
}

/** The variables that fill settings. */
function variablesOf({ trial: { plugin } }: Harness): readonly string[] {
  const { properties = {} } = (plugin['configSchema'] ?? {}) as {
    readonly properties?: { readonly [name: string]: { readonly 'x-env'?: string } | undefined }
  }
  return Object.values(properties).flatMap((schema) => schema?.['x-env'] ?? [])
}

async function tagsOf(harness: Harness): Promise<readonly string[]> {
  const { host, config } = harness.trial
  await host.resolve(config).catch(() => unjudged('nothing is resolved'))
  const last = harness.calls.filter(({ hook }) => hook === 'getTags').at(-1)
  return [...((last?.answer ?? []) as readonly string[])]
}

export const MANIFEST: readonly Check[] = [agrees]
