import { expect } from 'chai'
import fc from 'fast-check'
import { explain } from '../../../src/core/explain/index.ts'
import type { Config } from '../../../src/plugin/config.ts'
import type { EnablementContext } from '../../../src/plugin/signatures.ts'
import { bruteForce } from '../../helpers/brute-force.ts'
import { propertyRuns } from '../../helpers/cases.ts'
import { pluginSet } from '../../helpers/plugin-sets.ts'
import { provider } from '../../helpers/plugins.ts'

const MODELS = ['m0', 'm1', 'm2']

/** A fact of a config that an edit may change. */
const fact = fc.constantFrom<(config: Config) => boolean>(
  ({ model }) => model === 'm1',
  ({ provider: name }) => name === 'q',
  ({ enabled_plugins: ids }) => ids?.includes('x0') === true,
  ({ disabled_plugins: ids }) => ids?.includes('x1') === true,
)
const tags = fc.subarray(['t0', 't1', 't2'])

const second = fc.record({
  tags: fc.tuple(tags, tags),
  models: fc.tuple(fc.subarray(MODELS), fc.subarray(MODELS)),
  ofTags: fact,
  ofModels: fact,
  serves: fc.subarray(['p', 'q'], { minLength: 1 }),
  chosen: fc.record(
    { provider: fc.constantFrom('p', 'q'), model: fc.constantFrom(...MODELS) },
    { requiredKeys: ['provider'] },
  ),
})

/** Sets of plugins with two providers; tags and models of the second depend on the config. */
const withTwoProviders = fc
  .tuple(pluginSet(4), second)
  .map(([{ plugins, config }, { serves, chosen, ...own }]) => {
    const [p, ...others] = plugins
    const limited = others.map((plugin, at) =>
      plugin.kind === 'extension' && at === 0 ? { ...plugin, providers: serves } : plugin,
    )
    const q = provider('q', {
      getTags: (seen: Config) => own.tags[own.ofTags(seen) ? 1 : 0],
      getModels: (seen: Config) => own.models[own.ofModels(seen) ? 1 : 0],
    })
    return { plugins: [...(p ? [p] : []), q, ...limited], config: { ...config, ...chosen } }
  })

/** The same, with a plugin whose tags depend on the config, and one that asks for another plugin. */
const withCuriousPlugins = fc
  .tuple(withTwoProviders, fact, tags, fc.constantFrom('x0', 'x1', 'x2', 'x3'), fc.nat(3))
  .map(([{ plugins, config }, isSo, offered, name, most]) => ({
    config,
    plugins: plugins.map((plugin) => {
      if (plugin.name === 'x0' && most > 0) {
        return { ...plugin, isEnabled: (_: Config, seen: ReadonlySet<string>) => seen.size <= most }
      }
      if (plugin.name === 'x1') {
        return { ...plugin, getTags: (seen: Config) => (isSo(seen) ? offered : ['t3']) }
      }
      if (plugin.name !== 'x2') return plugin
      const isEnabled = (...[, , , context]: [Config, unknown, unknown, EnablementContext]) => {
        const { features, tools } = context.enabled_plugin_ids
        return features.includes(name) || tools.includes(name) ? undefined : false
      }
      return { ...plugin, isEnabled }
    }),
  }))

/** Sets of plugins that are all off, and whose tags depend on the config. */
const withAllOff = fc
  .tuple(withTwoProviders, fact, tags)
  .map(([{ plugins, config }, isSo, more]) => ({
    config,
    plugins: plugins.map((plugin) => {
      const getTags = (seen: Config) => [`t${plugin.name.at(-1)}`, ...(isSo(seen) ? more : [])]
      return plugin.kind === 'provider' ? plugin : { ...plugin, defaultEnabled: false, getTags }
    }),
  }))

describe('the change that explain finds', function () {
  this.timeout(900_000)

  it('is what trying every set of edits finds, for any small set of plugins', async () => {
    const sets = fc.oneof(pluginSet(4), withTwoProviders, withCuriousPlugins, withAllOff)
    await fc.assert(
      fc.asyncProperty(sets, async ({ plugins, config }) => {
        const expected = await bruteForce(plugins, config, MODELS)
        for (const { plugin, on, change, searched } of await explain(plugins, config)) {
          expect(searched).to.equal(undefined)
          const wanted = on ? null : expected(plugin)
          expect(change && keysOf(change), plugin).to.deep.equal(wanted && keysOf(wanted))
        }
      }),
      { numRuns: propertyRuns(120, 12) },
    )
  })
})

/** Sets of edits, in any order. */
function keysOf(sets: readonly (readonly unknown[])[]): readonly string[] {
  return sets.map((set) => JSON.stringify(set)).sort()
}
