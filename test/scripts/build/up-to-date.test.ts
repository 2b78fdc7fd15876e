import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { isUpToDate, noteBuilt } from '../../../scripts/build/up-to-date.ts'

const FOLDERS = ['src', 'providers', 'extensions', 'features', 'tools', 'docs', 'python']

describe('the build', () => {
  let root: string
  const at = (name: string): string => join(root, name)
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'braidwork-'))
    for (const folder of [...FOLDERS, 'scripts/build', 'src/core/dist', 'src/node_modules'])
      await mkdir(at(folder), { recursive: true })
    await writeFile(at('src/core/index.ts'), 'export {}')
    await writeFile(at('src/core/dist/index.js'), 'export {}')
  })
  afterEach(() => rm(root, { recursive: true }))

  it('is out of date until it was noted', () => {
    expect(isUpToDate(root)).to.equal(false)
    noteBuilt(root)
    expect(isUpToDate(root)).to.equal(true)
  })

  for (const [what, change] of [
    ['a source has another length', () => writeFile(at('src/core/index.ts'), 'export { }')],
    ['a source has another time', () => utimes(at('src/core/index.ts'), 1, 1)],
    ['there is a new source', () => writeFile(at('tools/new.ts'), '')],
    ['a file that was built is gone', () => rm(at('src/core/dist/index.js'))],
    ['a step of the build was changed', () => writeFile(at('scripts/build/copies.ts'), '')],
    ['other libraries are installed', () => installed()],
  ] as const) {
    it(`is out of date when ${what}`, async () => {
      noteBuilt(root)
      await change()
      expect(isUpToDate(root)).to.equal(false)
    })
  }

  it('does not ask what a package has installed', async () => {
    noteBuilt(root)
    await writeFile(at('src/node_modules/other.js'), '')
    expect(isUpToDate(root)).to.equal(true)
  })

  async function installed(): Promise<void> {
    await mkdir(at('node_modules'))
    await writeFile(at('node_modules/.package-lock.json'), '{}')
  }
})
