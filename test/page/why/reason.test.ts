import '../english.ts'
import { expect } from 'chai'
import { type Explained, RULES } from '../../../src/page/site/why/documents.ts'
import { obstacleTexts, reasonText, roundText } from '../../../src/page/site/why/reason.ts'
import { CONFIGS, explainedBy, shippedHost } from './explained.ts'

const plugin: Explained = {
  plugin: 'p',
  kind: 'feature',
  on: false,
  round: 0,
  rule: 'tags',
  tags: [
    { tag: 'there', need: 'required', present: true, providedBy: ['a'], wouldBeProvidedBy: [] },
    { tag: 'gone', need: 'required', present: false, providedBy: [], wouldBeProvidedBy: ['b'] },
    { tag: 'bad', need: 'forbidden', present: true, providedBy: ['a'], wouldBeProvidedBy: [] },
    { tag: 'rare', need: 'forbidden', present: false, providedBy: [], wouldBeProvidedBy: [] },
  ],
  change: null,
}

describe('the reason why a plugin is on or off', () => {
  it('is a sentence of its own for every rule', () => {
    const texts = RULES.map((rule) => reasonText({ ...plugin, rule }))
    expect(new Set(texts).size).to.equal(RULES.length)
    for (const text of texts) expect(text).to.match(/^[A-Z][^{}]+\.$/)
  })

  it('names the tags that decide', () => {
    expect(reasonText({ ...plugin, rule: 'missing tags' })).to.include(': “gone”.')
    expect(reasonText({ ...plugin, rule: 'forbidden tags' })).to.include(': “bad”.')
  })

  it('tells a provider that does not answer from an extension that does not serve it', () => {
    const rule = 'other provider'
    expect(reasonText({ ...plugin, rule, kind: 'provider' })).to.equal('Another provider answers.')
    expect(reasonText({ ...plugin, rule, kind: 'extension' })).to.include('does not serve')
  })

  it('tells a verdict of on from one of off', () => {
    const verdict = { ...plugin, rule: 'own verdict' } as const
    expect(reasonText({ ...verdict, on: true })).to.match(/is on\.$/)
    expect(reasonText(verdict)).to.match(/is off\.$/)
  })

  it('has the round, if there was one', () => {
    expect(roundText({ round: 2 })).to.equal('Decided in round 2')
    expect(roundText({ round: 0 })).to.equal('Left out before the first round')
  })

  it('is there for every shipped plugin', async () => {
    for (const config of CONFIGS) {
      const host = await shippedHost([], config)
      for (const one of await explainedBy(host)) {
        expect(reasonText(one), one.plugin).to.match(/^[A-Z][^{}]+\.$/)
        if (one.obstacle) expect(obstacleTexts(one.obstacle), one.plugin).to.have.length(1)
      }
      await host.close()
    }
  })
})

describe('the reason why no change turns a plugin on', () => {
  const obstacle = { rule: 'missing tags', tags: ['a', 'b'], unprovided: ['b'], reads: [] } as const

  it('says which tag nobody provides', () => {
    expect(obstacleTexts(obstacle)).to.deep.equal([
      'No plugin provides the tag “b”, with any provider and model.',
    ])
  })

  it('says which tag stays, or cannot be had', () => {
    expect(obstacleTexts({ ...obstacle, rule: 'forbidden tags' })[0]).to.include('“a”, “b”, which')
    expect(obstacleTexts({ ...obstacle, unprovided: [] })[0]).to.include('cannot be had')
  })

  it('says that a verdict of its own, or a failure, decides', () => {
    const own = { ...obstacle, rule: 'own verdict', unprovided: [] } as const
    expect(obstacleTexts({ ...own, reads: ['/model'] })[0]).to.include('reads these values')
    expect(obstacleTexts(own)).to.deep.equal([])
    expect(obstacleTexts({ ...own, rule: 'threw' })[0]).to.include('repaired')
  })

  it('is what a host explains of a tag that no plugin has', async () => {
    const host = await shippedHost([{ kind: 'feature', name: 'odd', requiredTags: ['unheard-of'] }])
    const odd = (await explainedBy(host)).find((one) => one.plugin === 'odd')
    expect(odd?.change).to.equal(null)
    expect(odd?.obstacle && obstacleTexts(odd.obstacle)[0]).to.include('“unheard-of”')
    await host.close()
  })
})
