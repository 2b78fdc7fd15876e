import { expect } from 'chai'
import type { Explained } from '../../../src/page/site/why/documents.ts'
import { layOut } from '../../../src/page/site/why/layout.ts'
import { edgeThen, lastRoundOf, statesAfter } from '../../../src/page/site/why/rounds.ts'
import { explainedBy, shippedHost } from './explained.ts'

/** Plugins of which each takes the next one with it. */
const CHAIN = [
  { kind: 'feature', name: 'first', requiredTags: ['unheard-of'], getTags: () => ['one'] },
  { kind: 'feature', name: 'second', requiredTags: ['one'], getTags: () => ['two'] },
  { kind: 'feature', name: 'third', requiredTags: ['two'] },
]

describe('the rounds of a resolution', () => {
  let plugins: readonly Explained[]

  before(async () => {
    const host = await shippedHost(CHAIN)
    plugins = await explainedBy(host)
    await host.close()
  })

  const chainAfter = (round: number) => {
    const states = statesAfter(plugins, round)
    return CHAIN.map(({ name }) => states.get(name))
  }

  it('take plugins out one after another', () => {
    expect(lastRoundOf(plugins)).to.equal(3)
    expect(chainAfter(0)).to.deep.equal(['on', 'on', 'on'])
    expect(chainAfter(1)).to.deep.equal(['blocked', 'on', 'on'])
    expect(chainAfter(2)).to.deep.equal(['blocked', 'blocked', 'on'])
    expect(chainAfter(3)).to.deep.equal(['blocked', 'blocked', 'blocked'])
  })

  it('leave plugins off that were no candidates', () => {
    expect(statesAfter(plugins, 0).get('smooth-stream')).to.equal('off')
  })

  it('show tags as in use between plugins that were both on', () => {
    const edge = layOut(plugins).edges.find(({ from, to }) => from === 'first' && to === 'second')
    const isLive = (round: number) => edge && edgeThen(edge, statesAfter(plugins, round)).live
    expect([0, 1, 2].map(isLive)).to.deep.equal([true, false, false])
  })

  it('are none where no plugin was taken out', () => {
    expect(lastRoundOf(plugins.filter(({ on }) => on))).to.equal(0)
    expect(lastRoundOf([])).to.equal(0)
  })
})
