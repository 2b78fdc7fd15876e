import { expect } from 'chai'
import { createHost } from '../../../src/core/index.ts'
import { extension, provider } from '../../helpers/plugins.ts'

describe('explain, of plugins with hooks that do not answer,', () => {
  it('asks such a hook once, not again', async () => {
    let asked = 0
    const getTags = () => {
      asked++
      return new Promise<never>(() => undefined)
    }
    const plugins = [
      provider('p'),
      extension('slow', { getTags, defaultEnabled: false }),
      extension('other', { requiredTags: ['light'] }),
    ]
    const host = await createHost({ plugins, config: { limits: { hook: 0.05 } } })
    await host.explain()
    expect(asked).to.equal(1)
    await host.close()
  })
})
