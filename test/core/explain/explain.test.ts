import { expect } from 'chai'
import fc from 'fast-check'
import { applyEdits, type Explanation, explain } from '../../../src/core/explain/index.ts'
import { resolve } from '../../../src/core/resolve/index.ts'
import type { Config } from '../../../src/plugin/config.ts'
import type { AnyPlugin } from '../../../src/plugin/plugin.ts'
import { ask, choose, disable, enable, release } from '../../helpers/brute-force.ts'
import { HAS_ALL_CASES, propertyRuns } from '../../helpers/cases.ts'
import { pluginSet } from '../../helpers/plugin-sets.ts'
import { extension, feature, provider, tool } from '../../helpers/plugins.ts'

const off = (name: string, wants: object = {}) => feature(name, { defaultEnabled: false, ...wants })

async function explainOne(
  name: string,
  plugins: readonly AnyPlugin[],
  config: Config = {},
): Promise<Explanation> {
  const all = await explain(plugins, config)
  const [alone] = await explain(plugins, config, { plugin: name })
  const found = all.find(({ plugin }) => plugin === name)
  expect(alone).to.deep.equal(found)
  if (!found) throw new Error(`no ${name}`)
  return found
}

/** How many plugins are many. */
const MANY = HAS_ALL_CASES ? 400 : 160

describe('explain', () => {
  it('CL-01 agrees with the resolution for every plugin', async () => {
    await fc.assert(
      fc.asyncProperty(pluginSet(4), async ({ plugins, config }) => {
        const { resolution } = await resolve(plugins, config)
        const explained = await explain(plugins, config)
        expect(
          explained.map(({ plugin, kind, on, round, rule }) => ({ plugin, kind, on, round, rule })),
        ).to.deep.equal(
          resolution.trace.map(({ plugin, kind, on, round, rule }) => ({
            plugin,
            kind,
            on,
            round,
            rule,
          })),
        )
      }),
      { numRuns: propertyRuns(60) },
    )
  })

  describe('tags', () => {
    it('says of each required and forbidden tag whether it is there, and who provides it', async () => {
      const { tags } = await explainOne('f', [
        provider('p', { tags: ['text'] }),
        extension('e', { tags: ['text', 'loud'] }),
        off('sleeper', { tags: ['vision'] }),
        feature('f', { requires: ['text', 'vision'], forbids: ['loud', 'quiet'] }),
      ])
      expect(tags).to.deep.equal([
        {
          tag: 'text',
          need: 'required',
          present: true,
          providedBy: ['p', 'e'],
          wouldBeProvidedBy: [],
        },
        {
          tag: 'vision',
          need: 'required',
          present: false,
          providedBy: [],
          wouldBeProvidedBy: ['sleeper'],
        },
        { tag: 'loud', need: 'forbidden', present: true, providedBy: ['e'], wouldBeProvidedBy: [] },
        { tag: 'quiet', need: 'forbidden', present: false, providedBy: [], wouldBeProvidedBy: [] },
      ])
    })

    it('are as they stood in the round that judged the plugin', async () => {
      const plugins = [
        provider('p'),
        feature('falls', { tags: ['light'], requires: ['nobody has'] }),
        feature('shy', { forbids: ['light'] }),
        feature('needs', { requires: ['light'] }),
      ]
      const shy = await explainOne('shy', plugins)
      expect(shy).to.include({ on: false, round: 1, rule: 'forbidden tags' })
      expect(shy.tags[0]).to.deep.include({ present: true, providedBy: ['falls'] })
      const needs = await explainOne('needs', plugins)
      expect(needs).to.include({ on: false, round: 2, rule: 'missing tags' })
      expect(needs.tags[0]).to.deep.include({ present: false, wouldBeProvidedBy: ['falls'] })
    })

    it('are those of the last round for a plugin that was never judged', async () => {
      const { tags, round } = await explainOne('f', [
        provider('p', { tags: ['a'] }),
        off('f', { requires: ['a'] }),
      ])
      expect(round).to.equal(0)
      expect(tags[0]).to.deep.include({ present: true, providedBy: ['p'] })
    })
  })

  describe('change', () => {
    it('is null for a plugin that is on', async () => {
      expect((await explainOne('f', [provider('p'), feature('f')])).change).to.equal(null)
    })

    it('asks for a plugin that is off by default', async () => {
      expect((await explainOne('f', [provider('p'), off('f')])).change).to.deep.equal([
        [enable('f')],
      ])
    })

    it('takes a plugin out of the disabled ones', async () => {
      const config = { disabled_plugins: ['f', 'g'] }
      const plugins = [provider('p'), feature('f'), feature('g')]
      expect((await explainOne('f', plugins, config)).change).to.deep.equal([[release('f')]])
    })

    it('disables what stands in the way', async () => {
      const plugins = [
        provider('p'),
        feature('f', { forbids: ['loud'] }),
        tool('loud', { tags: ['loud'] }),
      ]
      expect((await explainOne('f', plugins)).change).to.deep.equal([[disable('loud')]])
    })

    it('chooses another offered model', async () => {
      const sees = ({ model }: Config) => (model === 'big' ? ['vision'] : [])
      const plugins = [
        provider('p', { models: ['small', 'big'], getTags: sees }),
        tool('eye', { requires: ['vision'] }),
      ]
      expect((await explainOne('eye', plugins)).change).to.deep.equal([[choose('big')]])
    })

    it('gives all smallest ones, in registration order', async () => {
      const plugins = [
        provider('p'),
        off('a', { tags: ['light'] }),
        off('b', { tags: ['light'] }),
        feature('f', { requires: ['light'] }),
      ]
      expect((await explainOne('f', plugins)).change).to.deep.equal([[enable('a')], [enable('b')]])
    })

    it('is at most four edits', async () => {
      const plugins = [
        provider('p'),
        ...Array.from({ length: 5 }, (_, at) =>
          off(`f${at}`, { tags: [`t${at}`], requires: at === 0 ? [] : [`t${at - 1}`] }),
        ),
      ]
      expect((await explainOne('f3', plugins)).change).to.deep.equal([
        ['f0', 'f1', 'f2', 'f3'].map(enable),
      ])
      const { change, obstacle, searched } = await explainOne('f4', plugins)
      expect({ change, searched }).to.deep.equal({ change: null, searched: undefined })
      expect(obstacle).to.deep.include({ tags: ['t3'], unprovided: [] })
    })

    it('is found at once where many plugins offer each of several tags', async () => {
      const tags = ['a', 'b', 'c', 'd']
      const crowd = Array.from({ length: MANY }, (_, at) =>
        off(`t${at}`, { tags: [tags[at % 4] ?? ''] }),
      )
      const f = feature('f', { requires: tags })
      const { change } = await explainOne('f', [provider('p'), f, ...crowd])
      expect(change?.[0]).to.deep.equal(['t0', 't1', 't2', 't3'].map(enable))
    })

    it('is one plugin that offers two missing tags rather than two plugins', async () => {
      const plugins = [
        provider('p'),
        off('a', { tags: ['a'] }),
        off('b', { tags: ['b'] }),
        off('both', { tags: ['a', 'b'] }),
        feature('f', { requires: ['a', 'b'] }),
      ]
      expect((await explainOne('f', plugins)).change).to.deep.equal([[enable('both')]])
    })

    it('is found through all that a verdict depends on', async () => {
      const plugins = [
        provider('p', { models: ['small'] }),
        off('source', { tags: ['power'] }),
        feature('lamp', { tags: ['light'], requires: ['power'] }),
        off('seller', { getModels: (_: Config, models: string[]) => [...models, 'big'] }),
        feature('reader', {
          isEnabled: (_: Config, tags: ReadonlySet<string>) => tags.has('light') || false,
        }),
        feature('buyer', {
          isEnabled: (_: Config, __: unknown, models: readonly string[]) => models.includes('big'),
        }),
      ]
      // The lamp is a candidate, so its light is there in the first round only.
      expect((await explainOne('reader', plugins)).change).to.deep.equal([[enable('source')]])
      expect((await explainOne('buyer', plugins)).change).to.deep.equal([[enable('seller')]])
    })

    it('is in registration order: edits of plugins, then models, then providers', async () => {
      const sees = ({ model }: Config) => (model === 'big' ? ['vision'] : [])
      const plugins = [
        provider('q', { tags: ['vision'] }),
        provider('p', { models: ['small', 'big'], getTags: sees }),
        tool('eye', { requires: ['vision'] }),
        off('glasses', { tags: ['vision'] }),
      ]
      expect((await explainOne('eye', plugins, { provider: 'p' })).change).to.deep.equal([
        [enable('glasses')],
        [choose('big')],
        [ask('q')],
      ])
    })

    it('chooses another provider, and says so of the provider itself', async () => {
      const plugins = [
        provider('p'),
        provider('q', { tags: ['vision'] }),
        extension('of-q', { providers: ['q'] }),
        tool('eye', { requires: ['vision'] }),
      ]
      const explained = await explain(plugins, { provider: 'p' })
      expect(explained.slice(1).map(({ change }) => change)).to.deep.equal(
        Array.from({ length: 3 }, () => [[ask('q')]]),
      )
    })

    it('names the first model of another provider that does, if the config names one', async () => {
      const sees = ({ model }: Config) => (model === 'small' ? [] : ['vision'])
      const plugins = [
        provider('p', { models: ['own'] }),
        provider('q', { models: ['small', 'big', 'huge'], getTags: sees }),
        provider('unlisted', { tags: ['vision'] }),
        tool('eye', { requires: ['vision'] }),
      ]
      const config = { provider: 'p', model: 'own' }
      expect((await explainOne('eye', plugins, config)).change).to.deep.equal([
        [ask('q', 'big')],
        [ask('unlisted')],
      ])
      expect((await explainOne('unlisted', plugins, config)).change).to.deep.equal([
        [ask('unlisted')],
      ])
    })

    it('names the first model of the list that the edited config has', async () => {
      const isGone = ({ disabled_plugins: ids }: Config) => ids?.includes('x1') === true
      const plugins = [
        provider('p', { models: ['own'] }),
        provider('q', {
          getModels: (seen: Config) => (isGone(seen) ? ['small', 'big'] : ['big']),
          getTags: (seen: Config) => (isGone(seen) ? ['light'] : []),
        }),
        feature('x0', { requires: ['light'] }),
        feature('x1'),
      ]
      const config = { provider: 'p', model: 'own' }
      expect((await explainOne('x0', plugins, config)).change).to.deep.equal([
        [disable('x1'), ask('q', 'small')],
      ])
    })

    it('is null where nothing helps, with the tag that nobody provides', async () => {
      const plugins = [
        provider('p'),
        off('light', { tags: ['light'], requires: ['power'] }),
        feature('f', { requires: ['light'] }),
      ]
      const { change, searched, obstacle } = await explainOne('f', plugins)
      expect({ change, searched }).to.deep.equal({ change: null, searched: undefined })
      expect(obstacle).to.deep.equal({
        rule: 'missing tags',
        tags: ['light'],
        unprovided: ['power'],
        reads: [],
      })
    })

    it('is null where its own verdict or a forbidden tag stays, and says which', async () => {
      const plugins = [
        provider('p', { tags: ['text'] }),
        ...Array.from({ length: 30 }, (_, at) => tool(`t${at}`)),
        off('proud', { isEnabled: ({ model }: Config) => model === 'none' }),
        off('shy', { forbids: ['text'] }),
      ]
      const proud = await explainOne('proud', plugins)
      expect(proud.change).to.equal(null)
      expect(proud.obstacle).to.deep.equal({
        rule: 'own verdict',
        tags: [],
        unprovided: [],
        reads: ['/model'],
      })
      const shy = await explainOne('shy', plugins)
      expect(shy.obstacle).to.deep.include({ rule: 'forbidden tags', tags: ['text'] })
    })

    it('is searched with the plain config for a plugin that cannot use a view of it', async () => {
      const plugins = [
        provider('p'),
        off('light', { tags: ['light'] }),
        feature('f', {
          isEnabled: (config: Config, tags: ReadonlySet<string>) =>
            structuredClone(config) !== undefined && Set.prototype.has.call(tags, 'light'),
        }),
      ]
      expect((await explainOne('f', plugins)).change).to.deep.equal([[enable('light')]])
    })

    it('waits at most once for each hook that never answers', async () => {
      let asked = 0
      const isEnabled = () => {
        asked++
        return new Promise(() => {})
      }
      const plugins = [
        provider('p'),
        off('asleep', { tags: ['light'], isEnabled }),
        ...Array.from({ length: 30 }, (_, at) => feature(`f${at}`, { requires: ['light'] })),
      ]
      const explained = await explain(plugins, { limits: { hook: 0.05 } })
      expect(asked).to.equal(1)
      expect(explained.slice(1).map(({ change }) => change)).to.deep.equal(
        Array.from({ length: 31 }, () => null),
      )
    })

    it('is asked again only of plugins that read a list that the change edits', async () => {
      let asked = 0
      const readers = Array.from({ length: 50 }, (_, at) =>
        feature(`r${at}`, {
          getTags: ({ disabled_plugins: ids }: Config) => {
            asked++
            return [`t${at}`, ...(ids?.includes('r0') ? ['light'] : [])]
          },
        }),
      )
      const others = Array.from({ length: 50 }, (_, at) => off(`f${at}`, { requires: [`t${at}`] }))
      const explained = await explain([provider('p'), ...readers, ...others], {})
      expect(explained.slice(51).map(({ change }) => change)).to.deep.equal(
        others.map(({ name }) => [[enable(name)]]),
      )
      expect(asked).to.be.below(300)
    })

    it('costs each plugin as many questions to hooks, however many plugins there are', async () => {
      const questionsOf = async (count: number) => {
        let asked = 0
        const getTagsOf =
          (tag: string) =>
          ({ model }: Config) => {
            asked++
            return model === 'big' ? [tag, 'vision'] : [tag]
          }
        const crowd = Array.from({ length: count }, (_, at) =>
          feature(`f${at}`, {
            defaultEnabled: at % 5 !== 0,
            requires: at % 5 === 1 ? [`t${at - 1}`] : [],
            getTags: getTagsOf(`t${at}`),
          }),
        )
        const explained = await explain([provider('p', { models: ['small', 'big'] }), ...crowd], {})
        expect(explained.every(({ on, change }) => on || change !== null)).to.equal(true)
        return asked / count
      }
      expect(await questionsOf(MANY)).to.be.closeTo(await questionsOf(MANY / 4), 0.1)
    })

    it('is not searched through plugins that miss a tag that nobody provides', async () => {
      let asked = 0
      const getTags = () => {
        asked++
        return []
      }
      const crowd = Array.from({ length: 200 }, (_, at) =>
        off(`t${at}`, { tags: ['light'], requires: ['power'] }),
      )
      const f = feature('f', { requires: ['light'] })
      const { change, obstacle } = await explainOne('f', [provider('p', { getTags }), f, ...crowd])
      expect(change).to.equal(null)
      expect(obstacle?.unprovided).to.deep.equal(['power'])
      expect(asked).to.be.below(10)
    })

    it('is found where plugins that are off need each other', async () => {
      const plugins = [
        provider('p'),
        off('a', { tags: ['a'], requires: ['b'] }),
        off('b', { tags: ['b'], requires: ['a'] }),
        feature('f', { requires: ['a'] }),
      ]
      const both = [[enable('a'), enable('b')]]
      const explained = await explain(plugins, {})
      expect(explained.slice(1).map(({ change }) => change)).to.deep.equal([both, both, both])
    })

    it('is at most 100 sets', async () => {
      const crowd = Array.from({ length: 120 }, (_, at) => off(`t${at}`, { tags: ['light'] }))
      const f = feature('f', { requires: ['light'] })
      const { change, searched } = await explainOne('f', [provider('p'), f, ...crowd])
      expect(change).to.have.length(100)
      expect(searched).to.equal(0)
    })
  })

  it("of a plugin that threw says so, and that its tags are nobody's", async () => {
    const boom = () => {
      throw new Error('boom')
    }
    const plugins = [
      provider('p'),
      feature('broken', { tags: ['light'], isEnabled: boom }),
      feature('f', { requires: ['light'] }),
    ]
    expect(await explainOne('broken', plugins)).to.include({
      on: false,
      rule: 'threw',
      change: null,
    })
    expect((await explainOne('f', plugins)).tags[0]).to.deep.include({ wouldBeProvidedBy: [] })
  })

  it('names a plugin that cannot be read in no change that turns it on', async () => {
    const broken: AnyPlugin = Object.defineProperty({ ...feature('broken') }, 'defaultEnabled', {
      get: () => {
        throw new Error('boom')
      },
    })
    const isEnabled = ({ enabled_plugins: ids }: Config) => ids?.includes('broken') === true
    const plugins = [provider('p'), broken, feature('f', { isEnabled })]
    expect(await explainOne('broken', plugins)).to.include({ rule: 'threw', change: null })
    const { change, obstacle } = await explainOne('f', plugins)
    expect(change).to.equal(null)
    expect(obstacle).to.deep.include({ rule: 'own verdict', reads: ['/enabled_plugins'] })
  })
})

describe('applyEdits', () => {
  it('gives another config, and leaves the given one as it is', () => {
    const config: Config = Object.freeze({ disabled_plugins: Object.freeze(['a', 'b']) })
    const edits = [enable('c'), release('a'), disable('d'), ask('q'), choose('m')]
    expect(applyEdits(config, edits)).to.deep.equal({
      enabled_plugins: ['c'],
      disabled_plugins: ['b', 'd'],
      provider: 'q',
      model: 'm',
    })
    expect(config).to.deep.equal({ disabled_plugins: ['a', 'b'] })
  })
})
