import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import fc from 'fast-check'
import { type ConfigLayer, createHost, type Host } from '../../../src/core/index.ts'
import { type Explained, KINDS, RULES } from '../../../src/page/site/why/documents.ts'
import { ROOT } from '../../helpers/source-files.ts'

const GROUPS = ['providers', 'extensions', 'features', 'tools']

/** The shipped plugins in TypeScript. */
export async function shippedModules(): Promise<readonly unknown[]> {
  const paths = GROUPS.flatMap((group) =>
    readdirSync(join(ROOT, group))
      .toSorted()
      .filter((name) => name !== 'model-api')
      .map((name) => join(ROOT, group, name, 'index.ts')),
  )
  const modules = paths.filter(existsSync).map((path) => import(pathToFileURL(path).href))
  return (await Promise.all(modules)).map(({ default: plugin }) => plugin as unknown)
}

/** A host of the shipped plugins in TypeScript, and of others. */
export async function shippedHost(
  others: readonly unknown[] = [],
  config: ConfigLayer = {},
): Promise<Host> {
  const settings = { files: { root: ROOT }, 'search-docs': { root: ROOT } }
  return createHost({
    plugins: [...(await shippedModules()), ...others],
    config: { provider: 'scripted', settings, ...config },
  })
}

/** What a host explains, in the form of the page. */
export async function explainedBy(
  host: Host,
  config: ConfigLayer = {},
): Promise<readonly Explained[]> {
  return JSON.parse(JSON.stringify(await host.explain(config))) as readonly Explained[]
}

/** Configs under which plugins are on and off for many reasons. */
export const CONFIGS: readonly ConfigLayer[] = [
  {},
  { enabled_plugins: ['citations', 'prompt-cache', 'smooth-stream', 'memory', 'files', 'fetch'] },
  { provider: 'anthropic', model: 'claude-sonnet-4-5', enabled_plugins: ['prompt-cache'] },
  { provider: 'openai', disabled_plugins: ['calculator', 'clock'] },
]

const names = Array.from({ length: 12 }, (_, at) => `p${at}`)

/** Up to 200 plugins with any verdict and any tags between them. */
export const explainedSets = (
  maxLength: number,
  minLength = 0,
): fc.Arbitrary<readonly Explained[]> =>
  fc
    .array(
      fc.record({
        kind: fc.constantFrom(...KINDS),
        on: fc.boolean(),
        round: fc.nat(4),
        rule: fc.constantFrom(...RULES),
        tags: fc.array(
          fc.record({
            tag: fc.constantFrom('text', 'tools', 'vision', 'audio', 'files'),
            need: fc.constantFrom('required' as const, 'forbidden' as const),
            present: fc.boolean(),
            providedBy: fc.uniqueArray(fc.constantFrom(...names), { maxLength: 3 }),
            wouldBeProvidedBy: fc.uniqueArray(fc.constantFrom(...names), { maxLength: 2 }),
          }),
          { maxLength: 3 },
        ),
        change: fc.constant(null),
      }),
      { minLength, maxLength, size: 'max' },
    )
    .map((plugins) => plugins.map((plugin, at) => ({ ...plugin, plugin: `p${at}` })))
