import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { braidwork } from './command.ts'

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
  beforeEach(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), 'braidwork-')))
  })
  afterEach(() => rm(folder, { recursive: true }))

  async function explained(name: string, text: string, settings: object = {}): Promise<string> {
    await writeFile(join(folder, 'plugin.mjs'), text)
    const config = { plugins: ['./plugin.mjs'], settings }
    await writeFile(join(folder, 'config.json'), JSON.stringify(config))
    const { out } = await braidwork(['explain', name, '--config', 'config.json'], { cwd: folder })
    return out
  }

  it('names the forbidden tags that are there, and no others', async () => {
    const out = await explained('held', HELD)
    expect(out).to.match(/forbidden tags: tools \(provided by scripted\)/)
    expect(out).to.not.match(/forbidden tags:.*(text|braille)/)
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
