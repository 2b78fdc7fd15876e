import { expect } from 'chai'
import { shippedPlugins } from '../../scripts/shipped-plugins.ts'
import { pythonOf } from '../helpers/python.ts'

describe('manifests', () => {
  it('say of Python plugins whether they are on by default, so that none is started to learn it', async function () {
    await pythonOf(this)
    const plugins = await shippedPlugins()
    const inPython = plugins.filter(({ defaultEnabled }) => defaultEnabled !== undefined)
    expect(inPython.map(({ name }) => name)).to.include.members(['word-filter', 'python-eval'])
    for (const { name, defaultEnabled, plugin } of inPython) {
      const own = 'defaultEnabled' in plugin ? plugin.defaultEnabled : true
      expect(own, name).to.equal(defaultEnabled)
    }
  })
})
