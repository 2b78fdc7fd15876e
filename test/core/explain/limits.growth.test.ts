import { expect } from 'chai'
import { explain } from '../../../src/core/explain/index.ts'
import type { Config } from '../../../src/plugin/config.ts'
import { disable, enable } from '../../helpers/brute-force.ts'
import { feature, provider, tool } from '../../helpers/plugins.ts'

const off = (name: string, wants: object = {}) => feature(name, { defaultEnabled: false, ...wants })

describe('the search of explain, with many plugins,', function () {
  this.timeout(300_000)

  it('is found in a crowd of plugins that have nothing to do with it', async () => {
    const crowd = Array.from({ length: 300 }, (_, at) => off(`t${at}`, { requires: ['text'] }))
    const plugins = [
      provider('p', { tags: ['text'] }),
      ...crowd,
      off('light', { tags: ['light'] }),
      feature('f', { requires: ['light'], forbids: ['loud'] }),
      tool('loud', { tags: ['loud'] }),
    ]
    const [found] = await explain(plugins, {}, { plugin: 'f' })
    expect(found).to.deep.equal((await explain(plugins, {})).find(({ plugin }) => plugin === 'f'))
    expect(found?.change).to.deep.equal([[enable('light'), disable('loud')]])
    expect(found).to.not.have.any.keys('searched', 'obstacle')
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
    expect(asked).to.be.below(100_000)
    for (const { plugin, change, searched } of explained.slice(1)) {
      if (plugin.startsWith('t'))
        expect({ change, searched }).to.deep.equal({
          change: [[enable(plugin)]],
          searched: undefined,
        })
      else expect({ change, searched }).to.deep.equal({ change: null, searched: 1 })
    }
  })

  it('is limited to as many questions to hooks for all plugins together', async () => {
    let asked = 0
    const getTags = (config: Config) => {
      asked++
      return JSON.stringify(config) === '' ? ['light'] : []
    }
    const isEnabled = (_: Config, tags: ReadonlySet<string>) => [...tags].length > 1000
    const crowd = Array.from({ length: 250 }, (_, at) => feature(`f${at}`, { getTags, isEnabled }))
    const lamp = off('lamp', { tags: ['light'] })
    const explained = await explain([provider('p'), ...crowd, lamp], {})
    expect(asked).to.be.below(250_000)
    expect(explained.slice(1, -1).every(({ searched }) => searched !== undefined)).to.equal(true)
    expect(explained.at(-1)?.change).to.deep.equal([[enable('lamp')]])
  })
})
