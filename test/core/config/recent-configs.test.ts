import { expect } from 'chai'
import fc from 'fast-check'
import { mergeLayers } from '../../../src/core/config/layers.ts'
import { RecentConfigs } from '../../../src/core/config/recent-configs.ts'
import { json } from '../../helpers/arbitraries.ts'
import { errorOf } from '../../helpers/plugins.ts'

const BELOW = { model: 'm', settings: { a: { x: 1, y: [1] } } }

/** A layer with settings, written anew. */
const layerOf = (y: number) => ({ settings: { a: { y }, b: { list: [{ z: 1 }] } } })

describe('the configs of recent layers', () => {
  it('have the same settings for equal layers, also for those written anew', () => {
    const recent = new RecentConfigs(BELOW)
    const first = recent.over(layerOf(2))
    const second = recent.over(layerOf(2))
    expect(first).to.deep.equal({
      model: 'm',
      settings: { a: { x: 1, y: 2 }, b: { list: [{ z: 1 }] } },
    })
    expect(second).to.deep.equal(first)
    expect(second.settings).to.equal(first.settings)
  })

  it('are kept for the four layers that were used last', () => {
    const recent = new RecentConfigs(BELOW)
    const [first, second] = [recent.over(layerOf(1)), recent.over(layerOf(2))]
    for (const y of [3, 4, 1, 5]) recent.over(layerOf(y))
    expect(recent.over(layerOf(1)).settings).to.equal(first.settings)
    expect(recent.over(layerOf(2)).settings).not.to.equal(second.settings)
    expect(recent.over(layerOf(2))).to.deep.equal(second)
  })

  it('follow a layer that its program changes', () => {
    const recent = new RecentConfigs(BELOW)
    const layer = layerOf(2)
    const before = recent.over(layer)
    layer.settings.b.list.push({ z: 2 })
    layer.settings.a.y = 3
    const after = recent.over(layer)
    expect(before.settings).to.deep.equal({ a: { x: 1, y: 2 }, b: { list: [{ z: 1 }] } })
    expect(after.settings).to.deep.equal({ a: { x: 1, y: 3 }, b: { list: [{ z: 1 }, { z: 2 }] } })
  })

  it('tell a zero with a sign from one without', () => {
    const recent = new RecentConfigs(BELOW)
    for (const zero of [-0, 0, -0]) {
      expect(recent.over({ settings: { a: { zero } } }).settings?.a?.zero).to.deep.equal(zero)
    }
  })

  it('keep what a reader of one config changes from the next', () => {
    const recent = new RecentConfigs(BELOW)
    const first = recent.over(layerOf(2)) as { model: string; settings: { a: { y: number } } }
    first.model = 'other'
    expect(Reflect.set(first.settings.a, 'y', 5)).to.equal(false)
    expect(recent.over(layerOf(2)).model).to.equal('m')
  })

  it('refuse what is no layer, each time', async () => {
    const recent = new RecentConfigs(BELOW)
    const faulty = [null, 'x', [], { model: 1 }, { settings: { a: new Date() } }]
    for (const layer of [...faulty, ...faulty]) {
      expect(await errorOf(() => recent.over(layer))).to.include({ code: 'CONFIG_INVALID' })
    }
    recent.over({ settings: { a: {} } })
    class Options {}
    const instance = { settings: { a: new Options() } }
    expect(await errorOf(() => recent.over(instance))).to.include({ code: 'CONFIG_INVALID' })
  })

  it('are those of merged layers, in whichever order the layers come', () => {
    const layer = fc.record(
      {
        model: fc.constantFrom('m', 'n'),
        settings: fc.dictionary(
          fc.constantFrom('a', 'b'),
          fc.dictionary(fc.constantFrom('x'), json),
        ),
        more: fc.constantFrom(undefined, null, 0, -0, '', [], {}),
      },
      { requiredKeys: [] },
    )
    fc.assert(
      fc.property(fc.array(layer, { maxLength: 6 }), fc.array(fc.nat(5)), (layers, order) => {
        const recent = new RecentConfigs(BELOW)
        for (const at of order) {
          const one = layers[at] ?? {}
          expect(recent.over(structuredClone(one))).to.deep.equal(mergeLayers(BELOW, one))
        }
      }),
    )
  })
})
