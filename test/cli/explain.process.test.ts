import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { sharedCommand } from './shared-command.ts'

const HELD = `export default {
  kind: 'extension',
  name: 'held',
  requiredTags: ['text'],
  forbiddenTags: ['tools', 'braille'],
}
`
const PICKY = `export default {
  kind: 'extension',
  name: 'picky',
  isEnabled: (config) => config.settings?.picky?.['a~b/c'] === 'yes',
}
`
const FICKLE = `export default {
  kind: 'extension',
  name: 'fickle',
  isEnabled: ({ model }) => model.startsWith('m'),
}
`
const GREEDY = `export default {
  kind: 'extension',
  name: 'greedy',
  isEnabled: (config, tags) => [...tags].includes(JSON.stringify(config)),
}
`
const MODELS = Array.from({ length: 300 }, (_, at) => `m${at}`)

describe('braidwork explain', function () {
  this.timeout(30_000)
  let folder: string
  const command = sharedCommand()
  beforeEach(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), 'braidwork-')))
  })
  afterEach(() => rm(folder, { recursive: true }))

  async function explained(name: string, text: string, settings: object = {}): Promise<string> {
    await writeFile(join(folder, 'plugin.mjs'), text)
    const config = { plugins: ['./plugin.mjs'], settings }
    await writeFile(join(folder, 'config.json'), JSON.stringify(config))
    const { out } = await command(['explain', name, '--config', 'config.json'], { cwd: folder })
    return out
  }

  it('names the forbidden tags that are there, and no others', async () => {
    const out = await explained('held', HELD)
    expect(out).to.match(/forbidden tags: tools \(provided by scripted\)/)
    expect(out).to.not.match(/forbidden tags:.*(text|braille)/)
  })

  it('gives the reason for a plugin that could not be loaded, and a row in the table', async () => {
    const plugins = [{ kind: 'extension', name: 'broken', entry: './index.js' }]
    const json = { name: 'pkg-broken', version: '1.2.3', type: 'module' }
    const manifest = { ...json, braidwork: { apiVersion: 1, plugins } }
    await writeFile(join(folder, 'package.json'), JSON.stringify(manifest))
    await writeFile(join(folder, 'index.js'), "\nthrow new Error('spilled')\n")
    const config = { plugins: ['./'], settings: { broken: { size: 1 } } }
    await writeFile(join(folder, 'config.json'), JSON.stringify(config))
    const run = (...args: string[]) =>
      command([...args, '--config', 'config.json'], { cwd: folder })
    const reason = `PLUGIN_NOT_LOADED: Plugin "broken" could not be loaded: spilled (${join(folder, 'index.js')}:2). It is in pkg-broken 1.2.3, "${join(folder, 'index.js')}".`
    const alone = await run('explain', 'broken')
    expect(alone.status).to.equal(2)
    expect(alone.err).to.include(`error ${reason}`)
    const all = await run('explain')
    expect(all.out).to.match(/^broken +- +off +- +not loaded: PLUGIN_NOT_LOADED +see the error/m)
    expect(all.err).to.include(reason).and.not.include('SETTINGS_UNUSED')
    expect((await run('config', 'check')).err)
      .to.include(reason)
      .and.not.include('SETTINGS_UNUSED')
  })

  it('names what a plugin reads as the config does, whatever is in the name', async () => {
    const out = await explained('picky', PICKY, { picky: { 'a~b/c': 'no' } })
    expect(out).to.include('(it reads settings.picky.a~b/c)')
  })

  it('says that there may be more ways where it found as many as it shows', async () => {
    const out = await explained('fickle', FICKLE, { scripted: { models: MODELS } })
    expect(out).to.include('set model to "m0" (or at least 99 other ways)')
  })

  it('says how many edits it did not try where its limit ended the search', async () => {
    const out = await explained('greedy', GREEDY, { scripted: { models: MODELS } })
    expect(out).to.match(/none found, but not all of 3 or more edits were tried/)
  })
})
