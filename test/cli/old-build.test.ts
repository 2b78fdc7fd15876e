import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect } from 'chai'
import { oldBuild, oldBuilds } from '../../src/cli/old-build.ts'

describe('a package of plugins with a build', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'old-build-'))
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  function write(path: string, second: number, text = ''): void {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
    utimesSync(join(folder, path), second, second)
  }
  const messageFor = (entry = 'dist/index.js') =>
    oldBuild({ folder, plugins: [{ name: 'shout', entry: join(folder, entry) }] })?.message

  it('is told where its source is newer, with the command that builds it', () => {
    write('package.json', 9, '{"scripts": {"build": "tsc"}}')
    write('src/index.ts', 1)
    write('src/words/list.ts', 3)
    write('dist/index.js', 2)
    expect(messageFor()).to.equal(
      `"${join('src', 'words', 'list.ts')}" of plugin "shout" is newer than its build in "dist", which runs. Build it again: cd ${folder} && npm run build`,
    )
  })

  it('is as new as its newest file, since a build may leave others as they are', () => {
    write('src/index.ts', 3)
    write('dist/index.js', 1)
    write('dist/.tsbuildinfo', 4)
    expect(messageFor()).to.equal(undefined)
  })

  it('has no source in packages, hidden folders, declarations and other files', () => {
    for (const path of ['node_modules/a/index.ts', '.cache/a.ts', 'src/a.d.ts', 'README.md']) {
      write(path, 9)
    }
    write('dist/index.js', 1)
    expect(messageFor()).to.equal(undefined)
  })

  it('is none where the module that runs is a source', () => {
    for (const entry of ['index.js', 'src/index.ts', 'words/plugin.py']) write(entry, 1)
    write('src/other.ts', 9)
    for (const entry of ['index.js', 'src/index.ts', 'words/plugin.py']) {
      expect(messageFor(entry), entry).to.equal(undefined)
    }
  })

  it('is told once for all its plugins', () => {
    write('src/index.ts', 3)
    write('dist/index.js', 1)
    const entry = join(folder, 'dist', 'index.js')
    const plugins = ['a', 'b'].map((name) => ({ name, entry, folder }))
    const found = oldBuilds(plugins, [folder, join(folder, 'gone')])
    expect(found.map(({ code, plugin }) => [code, plugin])).to.deep.equal([['BUILD_OLD', 'a']])
    expect(found[0]?.message).to.match(/ && npx tsc$/)
  })
})
