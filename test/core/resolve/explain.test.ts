import { expect } from 'chai'
import fc from 'fast-check'
import {
  applyEdits,
  type Edit,
  type Explanation,
  explain,
  resolve,
} from '../../../src/core/resolve/index.ts'
import type { Config } from '../../../src/plugin/config.ts'
import type { AnyPlugin } from '../../../src/plugin/plugin.ts'
import { pluginSet } from '../../helpers/plugin-sets.ts'
import { extension, feature, namesOn, provider, resolutionOf, tool } from '../../helpers/plugins.ts'

const enable = (plugin: string): Edit => ({ edit: 'add', list: 'enabled_plugins', plugin })
const disable = (plugin: string): Edit => ({ edit: 'add', list: 'disabled_plugins', plugin })
const release = (plugin: string): Edit => ({ edit: 'remove', list: 'disabled_plugins', plugin })
const choose = (model: string): Edit => ({ edit: 'set', key: 'model', model })

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

/** All edits that one may make. */
function allEdits(
  plugins: readonly AnyPlugin[],
  config: Config,
  models: readonly string[],
  model?: string,
): Edit[] {
  const ofPlugins = plugins.slice(1).flatMap(({ name, defaultEnabled }): Edit[] => {
    const isAsked = config.enabled_plugins?.includes(name) ?? false
    const isDisabled = config.disabled_plugins?.includes(name) ?? false
    return [
      ...(defaultEnabled === false && !isAsked ? [enable(name)] : []),
      isDisabled ? release(name) : disable(name),
    ]
  })
  return [...ofPlugins, ...models.filter((id) => id !== model).map(choose)]
}

function subsets(edits: readonly Edit[], size: number): (readonly Edit[])[] {
  if (size === 0) return [[]]
  return edits.flatMap((edit, at) =>
    subsets(edits.slice(at + 1), size - 1).map((rest) => [edit, ...rest]),
  )
}

/** By trying everything: the smallest sets of at most three edits that turn a plugin on. */
async function bruteForce(name: string, plugins: readonly AnyPlugin[], config: Config) {
  const { models, model } = await resolutionOf(plugins, config)
  const edits = allEdits(plugins, config, models, model)
  for (const size of [1, 2, 3]) {
    const turning: (readonly Edit[])[] = []
    for (const set of subsets(edits, size)) {
      const edited = namesOn(await resolutionOf(plugins, applyEdits(config, set)))
      if (edited.includes(name)) turning.push(set)
    }
    if (turning.length > 0) return turning
  }
  return null
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

    it('goes up to three edits, and no further', async () => {
      const chain = (length: number) => [
        provider('p'),
        ...Array.from({ length }, (_, at) =>
          off(`f${at}`, { tags: [`t${at}`], requires: at === 0 ? [] : [`t${at - 1}`] }),
        ),
      ]
      expect((await explainOne('f2', chain(3))).change).to.deep.equal([
        [enable('f0'), enable('f1'), enable('f2')],
      ])
      const tooFar = await explainOne('f3', chain(4))
      expect(tooFar.change).to.equal(null)
      expect('searched' in tooFar).to.equal(false)
    })

    it('is null where nothing helps, though the search came to its end', async () => {
      const { change, searched } = await explainOne('f', [
        provider('p'),
        feature('f', { requires: ['x'] }),
      ])
      expect({ change, searched }).to.deep.equal({ change: null, searched: undefined })
    })

    it('says so where the search was given up', async () => {
      const crowd = Array.from({ length: 60 }, (_, at) => tool(`t${at}`))
      const stuck = await explainOne('f', [
        provider('p'),
        feature('f', { requires: ['x'] }),
        ...crowd,
      ])
      expect(stuck).to.include({ change: null, searched: false })
    })

    it('of another provider, and of what serves only that, is null without a search', async () => {
      let resolutions = 0
      const getModels = () => {
        resolutions++
        return ['m']
      }
      const crowd = Array.from({ length: 60 }, (_, at) => tool(`t${at}`))
      const plugins = [
        provider('p', { getModels }),
        provider('q'),
        extension('of-q', { providers: ['q'] }),
        ...crowd,
      ]
      const explained = await explain(plugins, { provider: 'p' })
      expect(resolutions).to.equal(1)
      for (const { change, on, ...rest } of explained.slice(1, 3)) {
        expect({ change, on }).to.deep.equal({ change: null, on: false })
        expect('searched' in rest).to.equal(false)
      }
    })

    it('is what trying everything finds, for any small set of plugins', async () => {
      await fc.assert(
        fc.asyncProperty(pluginSet(4), async ({ plugins, config }) => {
          for (const { plugin, on, change, searched } of await explain(plugins, config)) {
            expect(searched).to.equal(undefined)
            expect(change, plugin).to.deep.equal(
              on ? null : await bruteForce(plugin, plugins, config),
            )
          }
        }),
        { numRuns: 60 },
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
    const edits = [enable('c'), release('a'), disable('d'), choose('m')]
    expect(applyEdits(config, edits)).to.deep.equal({
      enabled_plugins: ['c'],
      disabled_plugins: ['b', 'd'],
      model: 'm',
    })
    expect(config).to.deep.equal({ disabled_plugins: ['a', 'b'] })
  })
})
