import { expect } from 'chai'
import fc from 'fast-check'
import {
  applyEdits,
  type Edit,
  type Explanation,
  explain,
} from '../../../src/core/explain/index.ts'
import { type Resolution, resolve } from '../../../src/core/resolve/index.ts'
import type { Config } from '../../../src/plugin/config.ts'
import type { AnyPlugin } from '../../../src/plugin/plugin.ts'
import { pluginSet } from '../../helpers/plugin-sets.ts'
import { extension, feature, namesOn, provider, resolutionOf, tool } from '../../helpers/plugins.ts'

const enable = (plugin: string): Edit => ({ edit: 'add', list: 'enabled_plugins', plugin })
const disable = (plugin: string): Edit => ({ edit: 'add', list: 'disabled_plugins', plugin })
const release = (plugin: string): Edit => ({ edit: 'remove', list: 'disabled_plugins', plugin })
const choose = (model: string): Edit => ({ edit: 'set', key: 'model', model })
const ask = (name: string): Edit => ({ edit: 'set', key: 'provider', provider: name })

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

/** For each plugin, the sets of edits of lists that one may make. */
function listEdits(plugins: readonly AnyPlugin[], config: Config): (readonly Edit[])[][] {
  const others = plugins.filter(({ kind }) => kind !== 'provider')
  return others.map(({ name, defaultEnabled }) => {
    const isAsked = config.enabled_plugins?.includes(name) ?? false
    const isDisabled = config.disabled_plugins?.includes(name) ?? false
    const enabling = defaultEnabled === false && !isAsked ? [[], [enable(name)]] : [[]]
    const toggled = isDisabled ? release(name) : disable(name)
    return enabling.flatMap((edits) => [edits, [...edits, toggled]])
  })
}

/** All sets of edits: every choice for each plugin, each provider, each model of any provider. */
function allSets(plugins: readonly AnyPlugin[], config: Config, current: string, models: string[]) {
  const providers = plugins.filter(({ kind, name }) => kind === 'provider' && name !== current)
  const choices = [
    ...listEdits(plugins, config),
    [[], ...providers.map(({ name }) => [ask(name)])],
    [[], ...models.map((model) => [choose(model)])],
  ]
  return choices.reduce<(readonly Edit[])[]>(
    (sets, ways) => sets.flatMap((set) => ways.map((way) => [...set, ...way])),
    [[]],
  )
}

/** A set of edits that turns a plugin on, and the place of its model in the provider's list. */
interface Way {
  readonly set: readonly Edit[]
  readonly place: number
}

/** The smallest sets, and of those that choose a provider and differ in the model only the first by its list. */
function smallest(ways: readonly Way[]): readonly (readonly Edit[])[] {
  const size = Math.min(...ways.map(({ set }) => set.length))
  const first = new Map<string, readonly Edit[]>()
  const sorted = ways.toSorted((one, other) => one.place - other.place)
  for (const { set } of sorted.filter((way) => way.set.length === size)) {
    const isOther = set.some((edit) => 'provider' in edit)
    const key = JSON.stringify(isOther ? set.filter((edit) => !('model' in edit)) : set)
    if (!first.has(key)) first.set(key, set)
  }
  return [...first.values()]
}

/** By trying everything: for each plugin the smallest sets of edits that turn it on. */
async function bruteForce(plugins: readonly AnyPlugin[], config: Config, known: string[]) {
  const turning = new Map<string, Way[]>()
  const { provider: current } = await resolutionOf(plugins, config)
  for (const set of allSets(plugins, config, current, known)) {
    const resolution = await resolutionOf(plugins, applyEdits(config, set))
    const place = resolution.models.indexOf(resolution.model ?? '')
    for (const name of turnedOn(resolution, set)) {
      turning.set(name, [...(turning.get(name) ?? []), { set, place }])
    }
  }
  return (name: string) => {
    const ways = turning.get(name)
    return ways ? smallest(ways) : null
  }
}

/** What is on after some edits. If they choose the provider or model, the provider must offer the model. */
function turnedOn(resolution: Resolution, set: readonly Edit[]): readonly string[] {
  const { provider: chosen, model, models } = resolution
  const isSet = set.some(({ edit }) => edit === 'set')
  if (!isSet || model === undefined || models.includes(model)) {
    return [...namesOn(resolution), chosen]
  }
  return models.length === 0 ? [chosen] : []
}

const MODELS = ['m0', 'm1', 'm2']

const second = fc.record({
  tags: fc.subarray(['t0', 't1', 't2']),
  models: fc.subarray(MODELS),
  ofModel: fc.constantFrom('t3', 't4'),
  serves: fc.subarray(['p', 'q'], { minLength: 1 }),
  chosen: fc.record(
    { provider: fc.constantFrom('p', 'q'), model: fc.constantFrom(...MODELS) },
    { requiredKeys: ['provider'] },
  ),
})

/** Sets of plugins with two providers; the tags of the second depend on the model. */
const setWithTwoProviders = fc
  .tuple(pluginSet(4), second)
  .map(([{ plugins, config }, { tags, models, ofModel, serves, chosen }]) => {
    const getTags = ({ model }: Config) => (model === 'm1' ? [ofModel] : tags)
    const [p, ...others] = plugins
    const limited = others.map((plugin, at) =>
      plugin.kind === 'extension' && at === 0 ? { ...plugin, providers: serves } : plugin,
    )
    return {
      plugins: [...(p ? [p] : []), provider('q', { models, getTags }), ...limited],
      config: { ...config, ...chosen },
    }
  })

/** Sets of edits, in any order. */
function keysOf(sets: readonly (readonly Edit[])[]): readonly string[] {
  return sets.map((set) => JSON.stringify(set)).sort()
}

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
      { numRuns: 60 },
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

    it('goes as far as a chain of plugins goes', async () => {
      const plugins = [
        provider('p'),
        ...Array.from({ length: 12 }, (_, at) =>
          off(`f${at}`, { tags: [`t${at}`], requires: at === 0 ? [] : [`t${at - 1}`] }),
        ),
      ]
      expect((await explainOne('f11', plugins)).change).to.deep.equal([
        Array.from({ length: 12 }, (_, at) => enable(`f${at}`)),
      ])
    })

    it('is found in a crowd of plugins that have nothing to do with it', async () => {
      const crowd = Array.from({ length: 300 }, (_, at) => off(`t${at}`, { requires: ['text'] }))
      const plugins = [
        provider('p', { tags: ['text'] }),
        ...crowd,
        off('light', { tags: ['light'] }),
        feature('f', { requires: ['light'], forbids: ['loud'] }),
        tool('loud', { tags: ['loud'] }),
      ]
      const { change, ...rest } = await explainOne('f', plugins)
      expect(change).to.deep.equal([[enable('light'), disable('loud')]])
      expect(rest).to.not.have.any.keys('searched', 'obstacle')
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
        [ask('q'), choose('big')],
      ])
      expect((await explainOne('unlisted', plugins, config)).change).to.deep.equal([
        [ask('unlisted')],
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
      expect(proud.obstacle).to.deep.equal({ rule: 'own verdict', tags: [], unprovided: [] })
      const shy = await explainOne('shy', plugins)
      expect(shy.obstacle).to.deep.equal({ rule: 'forbidden tags', tags: ['text'], unprovided: [] })
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

    it('ends soon where plugins make it try everything, and says so', async () => {
      let asked = 0
      const isEnabled = (_: Config, tags: ReadonlySet<string>) => {
        asked++
        return tags.size > 1000
      }
      const crowd = Array.from({ length: 100 }, (_, at) => off(`t${at}`, { tags: [`t${at}`] }))
      const hostile = Array.from({ length: 30 }, (_, at) => feature(`h${at}`, { isEnabled }))
      const plugins = [provider('p'), ...hostile, ...crowd]
      const explained = await explain(plugins, {})
      expect(asked).to.be.below(200_000)
      for (const { plugin, change, searched } of explained.slice(1)) {
        if (plugin.startsWith('t'))
          expect({ change, searched }).to.deep.equal({
            change: [[enable(plugin)]],
            searched: undefined,
          })
        else expect({ change, searched }).to.deep.equal({ change: null, searched: false })
      }
    })

    it('is at most 100 sets', async () => {
      const crowd = Array.from({ length: 120 }, (_, at) => off(`t${at}`, { tags: ['light'] }))
      const f = feature('f', { requires: ['light'] })
      const { change, searched } = await explainOne('f', [provider('p'), f, ...crowd])
      expect(change).to.have.length(100)
      expect(searched).to.equal(false)
    })

    it('is what trying everything finds, for any small set of plugins', async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.oneof(pluginSet(4), setWithTwoProviders),
          async ({ plugins, config }) => {
            const expected = await bruteForce(plugins, config, MODELS)
            for (const { plugin, on, change, searched } of await explain(plugins, config)) {
              expect(searched).to.equal(undefined)
              const wanted = on ? null : expected(plugin)
              expect(change && keysOf(change), plugin).to.deep.equal(wanted && keysOf(wanted))
            }
          },
        ),
        { numRuns: Number(process.env['RUNS'] ?? 120) },
      )
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
