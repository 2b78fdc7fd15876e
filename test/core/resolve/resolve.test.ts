import { expect } from 'chai'
import fc from 'fast-check'
import { resolve } from '../../../src/core/resolve/index.ts'
import type { Config } from '../../../src/plugin/config.ts'
import type { AnyPlugin } from '../../../src/plugin/plugin.ts'
import type { EnablementContext } from '../../../src/plugin/signatures.ts'
import { propertyRuns } from '../../helpers/cases.ts'
import { pluginSet } from '../../helpers/plugin-sets.ts'
import {
  errorOf,
  extension,
  feature,
  logged,
  namesOn,
  provider,
  resolutionOf,
  tool,
} from '../../helpers/plugins.ts'
import { naiveLoop } from './naive-loop.ts'

type Verdict = (
  config: Config,
  tags: ReadonlySet<string>,
  models: readonly string[],
  context: EnablementContext,
) => unknown

/** The names of the plugins that stay on beside a provider. */
async function on(config: Config, ...others: AnyPlugin[]): Promise<string[]> {
  return namesOn(await resolutionOf([provider('p'), ...others], config))
}

/** Each needs the one before it; the first needs what nobody has. */
function fallingChain(length: number): AnyPlugin[] {
  return Array.from({ length }, (_, at) =>
    feature(`f${at}`, { tags: [`has${at}`], requires: [at === 0 ? 'nobody has' : `has${at - 1}`] }),
  )
}

describe('resolve', () => {
  describe('against the rules as they are written', () => {
    it('CL-02 comes to the same models, tags, plugins and rounds as the plain loop', async () => {
      await fc.assert(
        fc.asyncProperty(pluginSet(14), async ({ plugins, config }) => {
          const naive = await naiveLoop(plugins, config)
          const resolution = await resolutionOf(plugins, config)
          expect({
            models: resolution.models,
            tags: resolution.tags,
            on: namesOn(resolution),
            rounds: resolution.rounds,
          }).to.deep.equal({
            models: naive.models,
            tags: naive.tags,
            on: naive.on,
            rounds: naive.rounds,
          })
          for (const [name, round] of naive.dropped) {
            const entry = resolution.trace.find(({ plugin }) => plugin === name)
            expect(entry, name).to.include({ on: false, round })
          }
        }),
        { numRuns: propertyRuns(500, 20) },
      )
    })

    it('CL-02 goes on until nothing changes, by tags and by verdicts in turn', async () => {
      const hasNext = (name: string): Verdict => {
        return (_config, _tags, _models, { enabled_plugin_ids: ids }) => ids.features.includes(name)
      }
      const plugins = [
        provider('p'),
        feature('a', { tags: ['a'], requires: ['nobody has'] }),
        feature('b', { requires: ['a'] }),
        feature('c', { tags: ['c'], isEnabled: hasNext('b') }),
        feature('d', { requires: ['c'] }),
        feature('e', { isEnabled: hasNext('d') }),
        feature('f', { isEnabled: hasNext('f') }),
      ]
      const { enabled, rounds } = await resolutionOf(plugins)
      expect(enabled.features).to.deep.equal(['f'])
      expect(rounds).to.equal(6)
    })
  })

  describe('models', () => {
    const add = (model: string) => (_config: Config, models: readonly string[]) => [
      ...models,
      model,
    ]

    it('CL-02 asks for the models before any tag, and for each just once', async () => {
      const log: string[] = []
      const plugins = [
        provider('p', { models: ['m'], tags: ['a'] }),
        extension('e', { getModels: add('n'), tags: ['b'], verdict: null }),
        feature('f', { requires: ['gone'] }),
      ]
      await resolutionOf(plugins.map((plugin) => logged(log, plugin)))
      expect(log).to.deep.equal([
        'p.getModels',
        'e.getModels',
        'p.getTags',
        'e.getTags',
        'e.isEnabled',
        'e.isEnabled',
      ])
    })

    it("CL-03 starts with the provider's, then each candidate extension's, then each feature's", async () => {
      const { models } = await resolutionOf([
        feature('f', { getModels: add('of f') }),
        extension('e1', { getModels: add('of e1') }),
        provider('p', { models: ['of p'] }),
        extension('e2', { getModels: add('of e2') }),
      ])
      expect(models).to.deep.equal(['of p', 'of e1', 'of e2', 'of f'])
    })

    it('CL-03 asks no tool, and no plugin that is no candidate', async () => {
      const { models } = await resolutionOf(
        [
          provider('p', { models: ['m'] }),
          tool('t', { getModels: add('of t') }),
          extension('off', { getModels: add('of off'), defaultEnabled: false }),
          feature('disabled', { getModels: add('of disabled') }),
        ],
        { disabled_plugins: ['disabled'] },
      )
      expect(models).to.deep.equal(['m'])
    })

    it('CL-03 keeps the models of a candidate that drops out later', async () => {
      const plugins = [
        provider('p', { models: ['m'] }),
        extension('e', { getModels: add('n'), requires: ['gone'] }),
      ]
      const { models, enabled } = await resolutionOf(plugins)
      expect(models).to.deep.equal(['m', 'n'])
      expect(enabled.extensions).to.deep.equal([])
    })

    it('fills in the first offered model before tags are asked', async () => {
      const seen: unknown[] = []
      const getTags = ({ model }: Config) => {
        seen.push(model)
        return []
      }
      const plugins = [provider('p', { models: ['m1', 'm2'], getTags }), feature('f', { getTags })]
      expect((await resolutionOf(plugins)).model).to.equal('m1')
      expect((await resolutionOf(plugins, { model: 'm2' })).model).to.equal('m2')
      expect(seen).to.deep.equal(['m1', 'm1', 'm2', 'm2'])
    })

    it('takes models from the settings of the provider and from what is known beside', async () => {
      const plugins = [provider('p', { models: ['m'] })]
      const config = { settings: { p: { models: ['mine', 'm', '', 7] } } }
      const { resolution } = await resolve(plugins, config, {
        knownModels: (name) => (name === 'p' ? ['cached', 'm'] : []),
      })
      expect(resolution.models).to.deep.equal(['m', 'mine', 'cached'])
    })

    it('notes a model that is not on offer, and goes on with it', async () => {
      const { model, diagnostics } = await resolutionOf(
        [provider('p', { models: ['gpt-5-mini'] })],
        {
          model: 'gpt-5-mimi',
        },
      )
      expect(model).to.equal('gpt-5-mimi')
      expect(diagnostics).to.have.length(1)
      expect(diagnostics[0]).to.include({ code: 'MODEL_NOT_OFFERED', pointer: '/model' })
      expect(diagnostics[0]?.message).to.include('Did you mean "gpt-5-mini"?')
    })
  })

  describe('tags', () => {
    it('CL-04 are those of the provider and of every plugin that is on, asked with config and models', async () => {
      const asked: unknown[] = []
      const tagsOf = (own: string) => (config: Config, models: readonly string[]) => {
        asked.push([own, config['greeting'], models])
        return [own]
      }
      const { tags } = await resolutionOf(
        [
          provider('p', { models: ['m'], getTags: tagsOf('of p') }),
          extension('e', { getTags: tagsOf('of e') }),
          feature('f', { getTags: tagsOf('of f') }),
          tool('t', { getTags: tagsOf('of t') }),
          feature('gone', { getTags: tagsOf('of gone'), requires: ['nobody has'] }),
        ],
        { greeting: 'hi' },
      )
      expect(tags).to.deep.equal(['of e', 'of f', 'of p', 'of t'])
      expect(asked).to.have.length(5)
      for (const entry of asked) expect(entry).to.deep.include('hi').and.deep.include(['m'])
    })

    it('CL-04 of a plugin that dropped out are gone in the next round', async () => {
      const dropper = feature('dropper', { tags: ['light'], requires: ['nobody has'] })
      const needs = tool('needs', { requires: ['light'] })
      const other = feature('other', { tags: ['light'] })
      expect(await on({}, dropper, needs)).to.deep.equal([])
      expect(await on({}, dropper, needs, other)).to.deep.equal(['other', 'needs'])
    })
  })

  describe('verdicts', () => {
    it('CL-05 judge by forced, then its own verdict, then the tags', async () => {
      const needs = { requires: ['nobody has'] }
      const fits = { requires: [] }
      const config = { force_enabled_plugins: ['forced'] }
      const enabled = await on(
        config,
        feature('forced', { ...needs, verdict: false }),
        feature('yes', { ...needs, verdict: true }),
        feature('no', { ...fits, verdict: false }),
        feature('none', { ...fits, verdict: undefined }),
        feature('none-and-missing', { ...needs, verdict: undefined }),
      )
      expect(enabled).to.deep.equal(['forced', 'yes', 'none'])
    })

    it('CL-05 need all required tags and none of the forbidden ones', async () => {
      const tags = feature('tags', { tags: ['a', 'b'] })
      const enabled = await on(
        {},
        tags,
        feature('both', { requires: ['a', 'b'] }),
        feature('one-is-missing', { requires: ['a', 'c'] }),
        feature('forbids-one', { forbids: ['c', 'b'] }),
        feature('forbids-what-nobody-has', { forbids: ['c'] }),
        feature('requires-and-forbids', { requires: ['a'], forbids: ['a'] }),
      )
      expect(enabled).to.deep.equal(['tags', 'both', 'forbids-what-nobody-has'])
    })

    it('CL-06 fall through to the tags for anything but true and false', async () => {
      for (const verdict of [undefined, null, 0, 1, '', 'yes', 'false', {}, []]) {
        const fits = feature('fits', { verdict })
        const misses = feature('misses', { verdict, requires: ['nobody has'] })
        expect(await on({}, fits, misses), JSON.stringify(verdict)).to.deep.equal(['fits'])
      }
    })

    it('CL-06 fall through to the tags for a promise of anything but true and false', async () => {
      for (const verdict of [undefined, 1, 'yes']) {
        const misses = tool('misses', { isEnabled: async () => verdict, requires: ['nobody has'] })
        expect(await on({}, misses, tool('no', { isEnabled: async () => false }))).to.deep.equal([])
      }
    })

    it('CL-07 of its own pass over required and forbidden tags', async () => {
      const wants = { requires: ['nobody has'], forbids: ['here'], verdict: true }
      expect(await on({}, feature('here', { tags: ['here'] }), tool('yes', wants))).to.deep.equal([
        'here',
        'yes',
      ])
    })

    it('CL-08 are not even asked of a forced plugin', async () => {
      const asked: string[] = []
      const isEnabled = () => {
        asked.push('asked')
        return false
      }
      const enabled = await on(
        { force_enabled_plugins: ['f'] },
        feature('f', { isEnabled }),
        ...fallingChain(2),
      )
      expect(enabled).to.deep.equal(['f'])
      expect(asked).to.deep.equal([])
    })

    it("CL-09 are given the names as they stood at the round's start", async () => {
      const seen: EnablementContext[] = []
      const isEnabled: Verdict = (_config, _tags, _models, context) => void seen.push(context)
      const config = {
        disabled_plugins: ['away'],
        force_enabled_plugins: ['f0'],
        enabled_plugins: ['f0'],
      }
      await on(
        config,
        extension('e', { requires: ['nobody has'] }),
        feature('f0'),
        tool('t', { isEnabled }),
        feature('away'),
      )
      const lists = { disabled_plugins: ['away'], force_enabled_plugins: ['f0'] }
      expect(seen).to.deep.equal([
        { enabled_plugin_ids: { extensions: ['e'], features: ['f0'], tools: ['t'] }, ...lists },
        { enabled_plugin_ids: { extensions: [], features: ['f0'], tools: ['t'] }, ...lists },
      ])
    })

    it('are given config, tags and models', async () => {
      const seen: unknown[] = []
      const isEnabled: Verdict = (config, tags, models) => {
        seen.push(config['greeting'], [...tags], models)
        return true
      }
      await resolutionOf(
        [provider('p', { models: ['m'], tags: ['a'] }), tool('t', { isEnabled })],
        {
          greeting: 'hi',
        },
      )
      expect(seen).to.deep.equal(['hi', ['a'], ['m']])
    })
  })

  describe('rounds', () => {
    it('CL-10 judges every plugin of a round against the same tags', async () => {
      const a = feature('a', { forbids: ['b'] })
      const b = feature('b', { tags: ['b'], requires: ['gone'] })
      expect(await on({}, a, b)).to.deep.equal([])
      expect(await on({}, b, a)).to.deep.equal([])
    })

    it('CL-10 drops both of two that forbid each other', async () => {
      const left = feature('left', { tags: ['left'], forbids: ['right'] })
      const right = feature('right', { tags: ['right'], forbids: ['left'] })
      expect(await on({}, left, right)).to.deep.equal([])
    })

    it('CL-10 shows every plugin of a round the same tags and the same context', async () => {
      const seen: unknown[] = []
      const isEnabled: Verdict = (_config, tags, _models, { enabled_plugin_ids: ids }) =>
        void seen.push([[...tags].sort(), ids.features])
      const no = () => false
      await on(
        {},
        feature('first', { tags: ['a'], isEnabled: no }),
        feature('second', { isEnabled }),
        feature('third', { tags: ['b'], isEnabled: no }),
        feature('fourth', { isEnabled }),
      )
      const all = ['first', 'second', 'third', 'fourth']
      const left = ['second', 'fourth']
      expect(seen).to.deep.equal([
        [['a', 'b'], all],
        [['a', 'b'], all],
        [[], left],
        [[], left],
      ])
    })

    it('CL-11 never lets a plugin return when the tag that forbade it has gone', async () => {
      const { rounds, enabled } = await resolutionOf([
        provider('p'),
        feature('shy', { forbids: ['loud'] }),
        feature('loud', { tags: ['loud'], requires: ['gone'] }),
      ])
      expect(enabled.features).to.deep.equal([])
      expect(rounds).to.equal(2)
    })

    it('CL-11 does not ask a plugin again that dropped out', async () => {
      const log: string[] = []
      const asked = logged(log, feature('asked', { isEnabled: () => false }))
      await on({}, asked, ...fallingChain(3))
      expect(log).to.deep.equal(['asked.isEnabled'])
    })

    it('CL-12 ends with the first round that removes nothing', async () => {
      const config = { enabled_plugins: [] }
      expect((await resolutionOf([provider('p')], config)).rounds).to.equal(1)
      expect((await resolutionOf([provider('p'), feature('f')], config)).rounds).to.equal(1)
    })

    it('CL-12 takes N+1 rounds for N plugins that lose their footing one after the other', async () => {
      for (const length of [1, 2, 5, 40]) {
        const { rounds, enabled } = await resolutionOf([provider('p'), ...fallingChain(length)])
        expect({ rounds, left: enabled.features.length }).to.deep.equal({
          rounds: length + 1,
          left: 0,
        })
      }
    })

    it('CL-12 keeps a circle that supports itself', async () => {
      const left = feature('left', { tags: ['left'], requires: ['right'] })
      const right = feature('right', { tags: ['right'], requires: ['left'] })
      expect(await on({}, left, right)).to.deep.equal(['left', 'right'])
    })

    it('CL-13 never filters the provider', async () => {
      const plugins = [
        provider('p', {
          requiredTags: ['nobody has'],
          isEnabled: () => false,
          defaultEnabled: false,
        }),
        feature('f', { tags: ['loud'] }),
      ]
      const resolution = await resolutionOf(plugins, { disabled_plugins: ['p'] })
      expect(resolution.provider).to.equal('p')
      expect(resolution.trace[0]).to.include({ plugin: 'p', on: true, rule: 'provider' })
    })
  })

  describe('candidates', () => {
    const off = (name: string) => feature(name, { defaultEnabled: false })

    it('CL-14 takes a plugin that is off by default only if it is asked for or forced', async () => {
      expect(await on({}, off('f'))).to.deep.equal([])
      expect(await on({ enabled_plugins: ['other'] }, off('f'))).to.deep.equal([])
      expect(await on({ enabled_plugins: ['f'] }, off('f'))).to.deep.equal(['f'])
      expect(await on({ force_enabled_plugins: ['f'] }, off('f'))).to.deep.equal(['f'])
      expect(await on({}, feature('f', { defaultEnabled: () => false }))).to.deep.equal([])
    })

    it('CL-14 keeps a plugin that is on by default, whoever else is asked for', async () => {
      expect(await on({ enabled_plugins: ['f'] }, off('f'), tool('t'))).to.deep.equal(['f', 't'])
    })

    it('CL-15 keeps a disabled plugin out, its tags too', async () => {
      const config = { disabled_plugins: ['f'], enabled_plugins: ['f'] }
      const log: string[] = []
      const f = logged(
        log,
        feature('f', { tags: ['light'], verdict: true, getModels: () => ['x'] }),
      )
      const resolution = await resolutionOf(
        [provider('p'), f, tool('t', { requires: ['light'] })],
        config,
      )
      expect(namesOn(resolution)).to.deep.equal([])
      expect(log).to.deep.equal([])
    })

    it('CL-16 lets forced beat disabled and off by default', async () => {
      const config = { force_enabled_plugins: ['f'], disabled_plugins: ['f'] }
      const { enabled, diagnostics, trace } = await resolutionOf([provider('p'), off('f')], config)
      expect(enabled.features).to.deep.equal(['f'])
      expect(trace[1]).to.include({ on: true, rule: 'forced' })
      expect(diagnostics).to.have.length(1)
      expect(diagnostics[0]).to.include({ code: 'PLUGIN_FORCED_AND_DISABLED', plugin: 'f' })
    })

    it('CL-17 notes an id that matches no plugin, with what was meant', async () => {
      const config = {
        enabled_plugins: ['calculater'],
        disabled_plugins: ['calculator', 'nobody-has-this'],
        force_enabled_plugins: ['calculator2'],
      }
      const { diagnostics } = await resolutionOf([provider('p'), tool('calculator')], config)
      expect(diagnostics.map(({ code, level, pointer }) => [code, level, pointer])).to.deep.equal([
        ['PLUGIN_UNKNOWN', 'warning', '/enabled_plugins/0'],
        ['PLUGIN_UNKNOWN', 'warning', '/disabled_plugins/1'],
        ['PLUGIN_UNKNOWN', 'warning', '/force_enabled_plugins/0'],
      ])
      expect(diagnostics[0]?.message).to.include('Did you mean "calculator"?')
      expect(diagnostics[1]?.message).to.not.include('Did you mean')
    })

    it('CL-44 lets an extension name its providers, and serves all by default', async () => {
      const only = extension('only', { providers: ['other'] })
      const both = extension('both', { providers: () => ['other', 'p'] })
      const all = extension('all')
      const config = { provider: 'p', force_enabled_plugins: ['only'] }
      const resolution = await resolutionOf(
        [provider('other'), provider('p'), only, both, all],
        config,
      )
      expect(resolution.enabled.extensions).to.deep.equal(['both', 'all'])
      expect(resolution.trace.find(({ plugin }) => plugin === 'only')).to.include({
        on: false,
        round: 0,
        rule: 'other provider',
      })
    })
  })

  describe('order', () => {
    it('is extensions, features, tools, each in registration order', async () => {
      const { enabled } = await resolutionOf(
        [tool('t1'), feature('f1'), extension('e2'), provider('p'), extension('e1'), feature('f0')],
        {},
      )
      expect(enabled).to.deep.equal({
        extensions: ['e2', 'e1'],
        features: ['f1', 'f0'],
        tools: ['t1'],
      })
    })
  })

  describe('hooks that throw', () => {
    const boom = () => {
      throw new Error('boom')
    }

    it('CL-18 turn off their own plugin, whichever the error names', async () => {
      const blame = () => {
        throw Object.assign(new Error('not me'), { plugin: 'innocent', hook: 'getTags' })
      }
      const plugins = [provider(), extension('innocent'), extension('guilty', { getTags: blame })]
      expect(namesOn(await resolutionOf(plugins))).to.deep.equal(['innocent'])
    })

    const MEMBERS = ['getModels', 'getTags', 'isEnabled', 'requiredTags', 'forbiddenTags']

    for (const member of MEMBERS) {
      it(`CL-18 turn their plugin off, with a diagnostic: ${member}`, async () => {
        for (const throwing of [boom, async () => boom()]) {
          if (throwing !== boom && member.endsWith('Tags') && member !== 'getTags') continue
          const broken = feature('broken', { [member]: throwing })
          const { enabled, diagnostics, trace } = await resolutionOf([
            provider('p'),
            broken,
            feature('f'),
          ])
          expect(enabled.features).to.deep.equal(['f'])
          expect(trace[1]).to.include({ plugin: 'broken', on: false, round: 0, rule: 'threw' })
          expect(diagnostics).to.have.length(1)
          expect(diagnostics[0]).to.include({
            code: 'PLUGIN_THREW',
            level: 'error',
            plugin: 'broken',
          })
          expect(diagnostics[0]?.message).to.include('boom').and.include('broken')
        }
      })
    }

    it('CL-18 leave the others as if it had never been a candidate', async () => {
      const log: string[] = []
      const broken = feature('broken', {
        tags: ['light'],
        getModels: (_config: Config, models: readonly string[]) => [...models, 'of broken'],
        isEnabled: boom,
      })
      const needs = tool('needs', { requires: ['light'] })
      const shy = logged(log, tool('shy', { forbids: ['light'] }))
      const resolution = await resolutionOf([provider('p', { models: ['m'] }), broken, needs, shy])
      expect(resolution.models).to.deep.equal(['m'])
      expect(resolution.tags).to.deep.equal([])
      expect(namesOn(resolution)).to.deep.equal(['shy'])
      expect(resolution.rounds).to.equal(2)
    })

    it('CL-18 turn even a forced plugin off', async () => {
      const config = { force_enabled_plugins: ['broken'] }
      expect(await on(config, tool('broken', { getTags: boom }), tool('t'))).to.deep.equal(['t'])
    })

    it('CL-18 turn off each of several, one after the other', async () => {
      const broken = ['a', 'b', 'c'].map((name) => tool(name, { getTags: boom }))
      const { diagnostics, enabled } = await resolutionOf([provider('p'), ...broken, tool('t')])
      expect(enabled.tools).to.deep.equal(['t'])
      expect(diagnostics.map(({ plugin }) => plugin)).to.deep.equal(['a', 'b', 'c'])
    })

    it('CL-18 count as thrown where they do not answer within the limit of the config', async () => {
      const never = () => new Promise(() => undefined)
      const config = { limits: { hook: 0.005 } }
      for (const hook of ['getModels', 'getTags', 'isEnabled']) {
        const slow = feature('slow', { [hook]: never })
        const { diagnostics, enabled } = await resolutionOf([provider('p'), slow], config)
        expect(enabled.features).to.deep.equal([])
        expect(diagnostics[0]?.message).to.include(hook).and.include('0.005 s')
      }
    })

    it('CL-18 count as thrown where an answer has the wrong shape', async () => {
      const { diagnostics } = await resolutionOf([
        provider('p'),
        tool('t', { getTags: () => 'light' }),
      ])
      expect(diagnostics[0]?.message).to.include('it answered a string')
    })

    it('end in RESOLUTION_FAILED where it is the provider that throws', async () => {
      for (const hook of ['getModels', 'getTags']) {
        const error = await errorOf(resolutionOf([provider('p', { [hook]: boom })]))
        expect(error).to.include({
          code: 'RESOLUTION_FAILED',
          plugin: 'p',
          provider: 'p',
          hook,
          phase: 'resolve',
        })
        expect(error.message).to.include('boom')
      }
    })
  })

  describe('the provider', () => {
    it('is the one that the config names', async () => {
      const plugins = [provider('a'), provider('b')]
      expect((await resolutionOf(plugins, { provider: 'b' })).provider).to.equal('b')
    })

    it('is the only one, else "scripted", where the config names none', async () => {
      expect((await resolutionOf([provider('a')])).provider).to.equal('a')
      const plugins = [provider('a'), provider('scripted')]
      expect((await resolutionOf(plugins)).provider).to.equal('scripted')
    })

    it('is missing where there are several, and none where there is none', async () => {
      const several = await errorOf(resolutionOf([provider('a'), provider('b')]))
      expect(several).to.include({ code: 'PROVIDER_MISSING', pointer: '/provider' })
      expect(several.message).to.include('"a", "b"')
      const none = await errorOf(resolutionOf([]))
      expect(none.code).to.equal('PROVIDER_MISSING')
      expect(none.message).to.include('none is registered. "plugins" needs one, such as')
    })

    it('is unknown where the config misspells it', async () => {
      const error = await errorOf(resolutionOf([provider('openai')], { provider: 'opena' }))
      expect(error).to.include({ code: 'PROVIDER_UNKNOWN', pointer: '/provider' })
      expect(error.message).to.include('Did you mean "openai"?')
    })

    it('is unknown by the name of its package, or where it is not loaded', async () => {
      const plugins = [provider('openai'), provider('openai-compatible')]
      const asked = async (name: string) =>
        (await errorOf(resolutionOf(plugins, { provider: name }))).message
      const compatible = await asked('@braidwork/provider-openai-compatible')
      expect(compatible).to.include('Did you mean "openai-compatible"?')
      expect(await asked('@braidwork/provider-openai')).to.include('Did you mean "openai"?')
      expect(await asked('anthropic')).to.include('Add it to "plugins"')
    })

    it('is not every plugin of that name', async () => {
      const error = await errorOf(resolutionOf([tool('p'), provider('q')], { provider: 'p' }))
      expect(error.code).to.equal('PROVIDER_UNKNOWN')
      expect(error.message).to.include('is a plugin of the kind tool').and.not.include('Add it')
    })
  })

  describe('its result', () => {
    it('is frozen, and changes nothing that it was given', async () => {
      const config = Object.freeze({ enabled_plugins: Object.freeze(['f']) })
      const plugins = Object.freeze([provider('p', { models: Object.freeze(['m']) }), feature('f')])
      const resolution = await resolutionOf(plugins, config)
      for (const value of [resolution, resolution.models, resolution.tags, resolution.trace]) {
        expect(Object.isFrozen(value)).to.equal(true)
      }
      expect(Object.isFrozen(resolution.enabled.features)).to.equal(true)
      expect(Object.isFrozen(resolution.trace[0])).to.equal(true)
      expect(Object.isFrozen(resolution.diagnostics)).to.equal(true)
    })

    it('has diagnostics that are computed once, when it is first read, and not for its trace', async () => {
      let reads = 0
      const plugin = {
        ...feature('f'),
        get name() {
          reads++
          return 'f'
        },
      }
      const resolved = await resolve([provider('p'), plugin], { disabled_plugins: ['g'] })
      const before = reads
      expect(resolved.trace).to.have.length(2)
      const ofTrace = reads - before
      const [diagnostic] = resolved.diagnostics
      expect(diagnostic).to.include({ code: 'PLUGIN_UNKNOWN', pointer: '/disabled_plugins/0' })
      const after = reads
      expect(after).to.be.above(before + ofTrace)
      expect(resolved.diagnostics[0]).to.equal(diagnostic)
      expect(reads).to.equal(after)
      expect(resolved.resolution.diagnostics).to.equal(resolved.diagnostics)
    })

    it('traces every registered plugin, in registration order, with the rule that decided', async () => {
      const { trace } = await resolutionOf(
        [
          feature('missing', { requires: ['nobody has', 'a'] }),
          provider('p', { tags: ['a'] }),
          provider('q'),
          feature('forbidden', { forbids: ['a'] }),
          feature('forced', { requires: ['nobody has'] }),
          feature('off', { defaultEnabled: false }),
          feature('away'),
          feature('own', { verdict: true }),
          tool('fits', { requires: ['a'] }),
        ],
        { provider: 'p', disabled_plugins: ['away'], force_enabled_plugins: ['forced'] },
      )
      expect(
        trace.map(({ plugin, on: isOn, round, rule }) => [plugin, isOn, round, rule]),
      ).to.deep.equal([
        ['missing', false, 1, 'missing tags'],
        ['p', true, 2, 'provider'],
        ['q', false, 0, 'other provider'],
        ['forbidden', false, 1, 'forbidden tags'],
        ['forced', true, 2, 'forced'],
        ['off', false, 0, 'off by default'],
        ['away', false, 0, 'disabled'],
        ['own', true, 2, 'own verdict'],
        ['fits', true, 2, 'tags'],
      ])
      expect(trace[0]?.missing).to.deep.equal(['nobody has'])
      expect(trace[3]?.forbidden).to.deep.equal(['a'])
    })

    it('shows each plugin the config as it may see it', async () => {
      const seen: unknown[] = []
      const look = ({ secret }: Config) => {
        seen.push(secret)
        return []
      }
      const plugins = [
        provider('p', { getTags: look }),
        feature('f', { getTags: look, isEnabled: look, getModels: look }),
      ]
      await resolve(plugins, {}, { configOf: (config, { name }) => ({ ...config, secret: name }) })
      expect(seen).to.deep.equal(['f', 'p', 'f', 'f'])
    })
  })
})
