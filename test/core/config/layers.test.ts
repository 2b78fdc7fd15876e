import { expect } from 'chai'
import fc from 'fast-check'
import {
  type ConfigLayer,
  fillReferences,
  mergeLayers,
  stackLayers,
  withLayer,
} from '../../../src/core/config/layers.ts'
import { json } from '../../helpers/arbitraries.ts'
import { errorOf } from '../../helpers/plugins.ts'

const layer: fc.Arbitrary<ConfigLayer> = fc.dictionary(
  fc.constantFrom('model', 'temperature', 'greeting', 'x'),
  json,
)
const ids = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 4 })

const idList = fc.oneof(ids, fc.record({ add: ids, remove: ids }, { requiredKeys: [] }))
const layerOfLists: fc.Arbitrary<ConfigLayer> = fc.record(
  {
    enabled_plugins: idList,
    disabled_plugins: idList,
    settings: fc.dictionary(
      fc.constantFrom('a', 'b'),
      fc.dictionary(fc.constantFrom('x', 'y'), json),
    ),
  },
  { requiredKeys: [] },
)

describe('stackLayers', () => {
  it('CL-19 makes one layer that does what its layers do one by one', () => {
    fc.assert(
      fc.property(layerOfLists, fc.array(layerOfLists, { maxLength: 4 }), (base, layers) => {
        const oneByOne = mergeLayers(base, ...layers)
        const below = mergeLayers(base)
        expect(mergeLayers(below, stackLayers(...layers))).to.deep.equal(oneByOne)
      }),
    )
  })

  it('CL-19 keeps a change of a list a change', () => {
    const stacked = stackLayers(
      { disabled_plugins: { add: ['a', 'b'], remove: ['c'] } },
      { disabled_plugins: { add: ['c'], remove: ['a'] } },
    )
    expect(stacked).to.deep.equal({ disabled_plugins: { add: ['b', 'c'], remove: ['c', 'a'] } })
  })
})

describe('mergeLayers', () => {
  it('CL-19 lets the later layer win, key by key', () => {
    const merged = mergeLayers(
      { model: 'default', temperature: 0, greeting: 'hi' },
      { model: 'of the file', stop: ['a', 'b'] },
      { model: 'of the request', stop: ['c'] },
    )
    expect(merged).to.deep.equal({
      model: 'of the request',
      temperature: 0,
      greeting: 'hi',
      stop: ['c'],
    })
  })

  it('CL-19 lets the later layer win for any layers and any other key', () => {
    fc.assert(
      fc.property(fc.array(layer, { maxLength: 4 }), (layers) => {
        expect(mergeLayers(...layers)).to.deep.equal(Object.assign({}, ...layers))
      }),
    )
  })

  it('CL-19 replaces the three lists of ids', () => {
    const below = { enabled_plugins: ['a'], disabled_plugins: ['b'], force_enabled_plugins: ['c'] }
    const above = {
      enabled_plugins: ['x'],
      disabled_plugins: [],
      force_enabled_plugins: ['y', 'z'],
    }
    expect(mergeLayers(below, above)).to.deep.equal(above)
  })

  it('CL-19 changes a list of ids that is written as add and remove', () => {
    for (const list of ['enabled_plugins', 'disabled_plugins', 'force_enabled_plugins'] as const) {
      const changed = (change: object) =>
        mergeLayers({ [list]: ['a', 'b'] }, { [list]: change })[list]
      expect(changed({ add: ['c', 'a'] })).to.deep.equal(['a', 'b', 'c'])
      expect(changed({ remove: ['a', 'nobody'] })).to.deep.equal(['b'])
      expect(changed({ add: ['c'], remove: ['b'] })).to.deep.equal(['a', 'c'])
      expect(changed({})).to.deep.equal(['a', 'b'])
      expect(mergeLayers({ [list]: { add: ['a'], remove: ['b'] } })[list]).to.deep.equal(['a'])
    }
  })

  it('CL-19 never lists an id twice, nor one that was taken out', () => {
    fc.assert(
      fc.property(ids, ids, ids, (below, add, remove) => {
        const { enabled_plugins: merged = [] } = mergeLayers(
          { enabled_plugins: below },
          { enabled_plugins: { add, remove } },
        )
        expect(new Set(merged).size).to.equal(merged.length)
        const expected = [...below.filter((id) => !remove.includes(id)), ...add]
        expect(new Set(merged)).to.deep.equal(new Set(expected))
      }),
    )
  })

  it('merges settings by plugin and key, limits and tool names by key', () => {
    const merged = mergeLayers(
      {
        settings: { a: { key: 1, nested: { deep: 1 } }, b: { key: 2 } },
        limits: { hook: 1, connect: 2 },
        tool_names: { 'a.x': 'y' },
      },
      {
        settings: { a: { key: 3, nested: { other: 2 } } },
        limits: { hook: 9 },
        tool_names: { 'b.x': 'z' },
      },
    )
    expect(merged).to.deep.equal({
      settings: { a: { key: 3, nested: { other: 2 } }, b: { key: 2 } },
      limits: { hook: 9, connect: 2 },
      tool_names: { 'a.x': 'y', 'b.x': 'z' },
    })
  })

  it('passes over an inner key whose value is undefined', () => {
    const below = { settings: { a: { key: 1 } } }
    const above = { settings: { a: { key: undefined } }, limits: { hook: undefined } }
    expect(mergeLayers(below, above as unknown as ConfigLayer)).to.deep.equal({
      ...below,
      limits: {},
    })
  })

  it('passes over a key whose value is undefined, and changes no layer', () => {
    const below = Object.freeze({
      model: 'm',
      settings: Object.freeze({ a: Object.freeze({ key: 1 }) }),
    })
    const above = { model: undefined, settings: { a: { other: 2 } } } as unknown as ConfigLayer
    expect(mergeLayers(below, above)).to.deep.equal({
      model: 'm',
      settings: { a: { key: 1, other: 2 } },
    })
    expect(below.settings).to.deep.equal({ a: { key: 1 } })
  })
})

describe('withLayer', () => {
  it('merges as mergeLayers does', () => {
    fc.assert(
      fc.property(layerOfLists, layerOfLists, (below, above) => {
        const merged = withLayer(mergeLayers(below), above)
        expect(merged).to.deep.equal(mergeLayers(below, above))
      }),
    )
  })

  it('keeps the objects that the layer does not name', () => {
    const config = mergeLayers({ settings: { a: { x: 1 } }, limits: { hook: 1 } })
    const merged = withLayer(config, { model: 'm', limits: { call: 2 } })
    expect(merged.settings).to.equal(config.settings)
    expect(merged.limits).to.deep.equal({ hook: 1, call: 2 })
    expect(config).to.deep.equal({ settings: { a: { x: 1 } }, limits: { hook: 1 } })
  })
})

describe('fillReferences', () => {
  const variables = { KEY: 'sk-12345', HOST: 'example.org', EMPTY: '' }

  it('CL-20 fills ${env:NAME} in every string of a config', () => {
    const { config } = fillReferences(
      {
        greeting: 'hi',
        settings: { p: { key: '${env:KEY}', urls: ['https://${env:HOST}/${env:KEY}', 7] } },
      },
      variables,
    )
    expect(config).to.deep.equal({
      greeting: 'hi',
      settings: { p: { key: 'sk-12345', urls: ['https://example.org/sk-12345', 7] } },
    })
  })

  it('CL-20 refuses a variable that is not set, and names the key', async () => {
    const error = await errorOf(() =>
      fillReferences({ settings: { p: { 'a/b': ['${env:NO_SUCH}'] } } }, variables),
    )
    expect(error).to.include({ code: 'ENV_MISSING', pointer: '/settings/p/a~1b/0' })
    expect(error.message).to.include('"NO_SUCH"').and.include('/settings/p/a~1b/0')
    for (const name of ['toString', '__proto__', 'constructor']) {
      expect(
        (await errorOf(() => fillReferences({ x: `\${env:${name}}` }, variables))).code,
      ).to.equal('ENV_MISSING')
    }
  })

  it('CL-20 says where a reference has no name', async () => {
    const error = await errorOf(() =>
      fillReferences({ model: '${env:}' }, { '': 'x', ...variables }),
    )
    expect(error).to.include({ code: 'ENV_MISSING', pointer: '/model' })
    expect(error.message).to.equal(
      'The config at /model has "${env:}", which lacks the name of an environment variable.',
    )
  })

  it('CL-20 takes a variable that is set to nothing for set', () => {
    expect(fillReferences({ key: 'a${env:EMPTY}b' }, variables).config).to.deep.equal({
      key: 'ab',
    })
  })

  it('CL-20 never fills what a value of a variable says', () => {
    const tricky = { OUTER: '${env:KEY}', KEY: 'sk-12345' }
    expect(fillReferences({ key: '${env:OUTER}' }, tricky).config).to.deep.equal({
      key: '${env:KEY}',
    })
  })

  it('CL-20 tells which values came from the variables, and whole strings that hold one', () => {
    const { secrets } = fillReferences(
      { a: '${env:KEY}', b: 'Bearer ${env:KEY}', c: 'plain' },
      variables,
    )
    expect(new Set(secrets)).to.deep.equal(new Set(['sk-12345', 'Bearer sk-12345']))
  })
})
