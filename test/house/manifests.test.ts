import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { workspaces } from '../../scripts/build/workspaces.ts'
import { shippedPlugins } from '../../scripts/shipped-plugins.ts'
import { pythonOf } from '../helpers/python.ts'
import { ROOT } from '../helpers/source-files.ts'

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

describe('published packages', () => {
  it('have the license', async () => {
    const license = readFileSync(join(ROOT, 'LICENSE'), 'utf8')
    const packages = await workspaces()
    expect(packages).to.have.length.above(30)
    for (const folder of [...packages.map(({ folder: own }) => own), 'python']) {
      expect(readFileSync(join(folder, 'LICENSE'), 'utf8'), folder).to.equal(license)
    }
  })
})
