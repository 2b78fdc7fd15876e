import type { ManifestPlugin, PackageManifest } from '@braidwork/core/internal'
import type { Kind, ToolSchema } from '@braidwork/plugin'
import { readNeeds } from '@braidwork/python/internal'
import type { InstalledPackage } from './staged.ts'

/** What no manifest can promise. */
export const RIGHTS =
  'A plugin is code. It has all rights of the process that runs it, and nothing holds it to what its manifest says. Add it only if you trust its authors and those of the packages that it brings.'

/** What a person has to do after files of an installed package were replaced or deleted. */
export const RESTART =
  'Restart servers that are running. They have the old version in memory, and what it imports later is gone or of another version.'

/** What plugins of a kind are there for. */
const KIND_RIGHTS: { readonly [K in Kind]: string } = {
  provider: 'reads the messages of every request that it answers, and sends them to a model',
  extension: 'reads and changes requests and answers, also while they stream',
  feature: 'reads and changes messages and answers, and may stop calls of tools',
  tool: 'runs when a model calls it, with arguments that the model wrote',
}

/** Without a statement of the manifest, the code decides, which has not run yet. */
const ON = 'on by default, unless its code says otherwise'

/**
 * Says in lines what the plugins of a package may do, as far as their manifest tells.
 * @param packages - what npm installed for it, if it did
 */
export async function describePackage(
  { package: name, folder, plugins }: PackageManifest,
  packages: readonly InstalledPackage[] = [],
): Promise<readonly string[]> {
  const described = await Promise.all(plugins.map((plugin) => describePlugin(plugin, folder)))
  const others = packages.filter((one) => one.name !== name)
  const isOwn = ({ neededBy = name }: InstalledPackage) => neededBy === name
  const brought = [
    ...others.filter(isOwn).map(nameOf),
    ...others.filter((one) => !isOwn(one)).map((one) => `${nameOf(one)} (for ${one.neededBy})`),
  ]
  const scripts = packages.filter(({ hasInstallScript }) => hasInstallScript)
  return [
    ...described.flat(),
    ...(brought.length === 0 ? [] : [`brings other packages: ${brought.join(', ')}`]),
    ...scripts.map(
      (one) => `${nameOf(one)} has install scripts. They are not run, so it may not work`,
    ),
  ]
}

function nameOf({ name, version }: InstalledPackage): string {
  return `${name} ${version}`
}

async function describePlugin(plugin: ManifestPlugin, folder: string): Promise<readonly string[]> {
  const { kind, name, entry, defaultEnabled, providers } = plugin
  const isPython = entry.endsWith('.py')
  const use = defaultEnabled === false ? 'off until a config enables it' : ON
  const about = [
    KIND_RIGHTS[kind],
    isPython ? await pythonOf(folder) : 'runs in the process of Braidwork',
    ...(providers === undefined ? [] : [`works with ${providers.join(', ')}`]),
    `hooks: ${listOf(plugin.hooks)}`,
    ...(kind === 'tool' ? [`tools: ${listOf(plugin.tools?.map(toolOf))}`] : []),
    `environment variables: ${isPython ? 'none but PATH, HOME, LANG and TMPDIR; ' : ''}${listOf(plugin.variables)}`,
    `network: ${listOf(plugin.network?.map((host) => (host === '*' ? 'any host' : host)))}`,
  ]
  const state = kind === 'provider' ? '' : `, ${use}`
  return [`${kind} "${name}"${state}`, ...about.map((line) => `  ${line}`)]
}

/** An absent list is not the same as an empty one. */
function listOf(stated: readonly string[] | undefined): string {
  if (stated === undefined) return 'its manifest does not say'
  return stated.length === 0 ? 'none, its manifest says' : stated.join(', ')
}

function toolOf({ name, safety }: { name: string; safety?: ToolSchema['safety'] }): string {
  const marks = [
    ...(safety?.is_read_only ? ['only reads'] : []),
    ...(safety?.is_destructive ? ['may destroy'] : []),
    ...(safety?.is_read_only === false && !safety.is_destructive ? ['writes'] : []),
  ]
  return `${name} (${marks.join(', ') || 'without marks'})`
}

async function pythonOf(folder: string): Promise<string> {
  const { packages, alone } = await readNeeds(folder)
  const needs = [...packages, ...alone]
  const brings = needs.length === 0 ? 'without other packages' : `with ${needs.join(', ')}`
  return `runs in Python ${brings}`
}
