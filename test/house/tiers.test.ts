import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { roomOf } from '../../scripts/layers.ts'
import { LONGEST } from '../../scripts/tests/longest.ts'
import { DEFAULT, filesOf, TIERS, testFiles, tierOf } from '../../scripts/tests/tiers.ts'
import { ROOT, sourceFiles } from '../helpers/source-files.ts'

const ORDINARY = testFiles().filter((path) => tierOf(path) === DEFAULT)

describe('the tiers of tests', () => {
  it('hold every test file: each second ending is the name of a tier', () => {
    const names = TIERS.map(({ name }) => name)
    expect(testFiles().filter((path) => !names.includes(tierOf(path)))).to.deep.equal([])
  })

  it('have each a test file', () => {
    expect(TIERS.filter((tier) => filesOf(tier).length === 0)).to.deep.equal([])
  })

  it('have tests of every room in the default one', () => {
    const files = sourceFiles('src').filter(({ path }) => path.endsWith('.ts'))
    const rooms = new Set(
      files.map(({ path }) => roomOf(path)).filter((room) => !/\.\w+$/.test(room)),
    )
    const folders = [...rooms].map((room) => room.replace(/^src/, 'test'))
    const tested = folders.filter((folder) => existsSync(join(ROOT, folder)))
    expect(tested.length).to.be.above(20)
    const without = tested.filter(
      (folder) => !ORDINARY.some((path) => path.startsWith(`${folder}/`)),
    )
    expect(without).to.deep.equal([])
  })

  it('try more inputs of every property in one of them, also of those in shared suites', () => {
    const files = TIERS.filter(({ name }) => name === 'properties').flatMap(filesOf)
    expect(files).to.include('test/core/config/recent-configs.test.ts')
    expect(files).to.include('test/store/storage.test.ts')
    expect(files).not.to.include('test/house/tiers.test.ts')
  })

  it('are sampled by `npm run test:full` where they go through all cases, and run whole by `test:cases`', async () => {
    const { scripts } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as {
      readonly scripts: { readonly [name: string]: string }
    }
    const whole = TIERS.filter(({ isSampled }) => isSampled).map(({ name }) => `--tier ${name}`)
    expect(scripts['test:full']).to.match(/ scripts\/tests\.ts --sample \d+$/)
    expect(scripts['test:cases']).to.match(/ scripts\/tests\.ts (--tier \w+ ?)+$/)
    for (const tier of whole) expect(scripts['test:cases']).to.include(tier)
  })

  it('start with files that exist', () => {
    expect(LONGEST.filter((path) => !testFiles().includes(path))).to.deep.equal([])
  })
})
