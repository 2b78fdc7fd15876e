import { expect } from 'chai'
import { shippedPlugins } from '../../scripts/shipped-plugins.ts'
import { pythonOf } from '../helpers/python.ts'

describe('manifests', () => {
  it('say which plugins are off by default, so that none is run to learn it', async function () {
    await pythonOf(this)
    const plugins = (await shippedPlugins()).filter(({ plugin }) => plugin.kind !== 'provider')
    expect(plugins).to.have.length.above(15)
    for (const { name, defaultEnabled = true, plugin } of plugins) {
      const own = 'defaultEnabled' in plugin ? plugin.defaultEnabled : true
      expect(defaultEnabled, name).to.equal(own)
    }
  })
})
