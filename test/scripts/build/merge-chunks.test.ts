import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect } from 'chai'
import { build } from 'esbuild'
import { mergeChunks } from '../../../scripts/build/merge-chunks.ts'

/** Modules of a package with three doors. Each pair of doors shares a module, and two of these have equal names. */
const SOURCES: { readonly [path: string]: string } = {
  'index.js': `
import { count } from './counter.js'
import { name } from './first.js'
export const counted = () => count()
export const first = name
export const later = () => import('./later.js')
export const alone = () => import('./alone.js')`,
  'internal.js': `
export { count } from './counter.js'
export { name as second } from './second.js'`,
  'deep/door.js': `
import { count } from '../counter.js'
import { name as one } from '../first.js'
import { name as two } from '../second.js'
export const all = () => [one, two, count()]`,
  'later.js': `
import { count } from './counter.js'
export const countLater = () => count()`,
  'alone.js': 'export const nothing = 0',
  'counter.js': 'let counts = 0\nexport const count = () => ++counts',
  'first.js': "import { count } from './counter.js'\nexport const name = 'first'\nexport { count }",
  // As the symbols that the build injects, which few bundles use.
  'build/package.json': '{ "type": "module" }',
  'build/injected.js': 'const { of } = Array\nexport const unusedOf = of',
  'second.js': "export const name = 'second'",
}
const DOORS = ['index', 'internal', 'deep/door']

describe('chunks that are merged', () => {
  let folder: string
  let outdir: string
  let before: readonly string[]

  const filesIn = async () =>
    (await readdir(outdir, { recursive: true })).filter((path) => path.endsWith('.js')).toSorted()
  const door = (path: string) => import(pathToFileURL(join(outdir, path)).href)

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'braidwork-'))
    outdir = join(folder, 'out')
    await writeFile(join(folder, 'package.json'), '{ "type": "module", "sideEffects": false }')
    for (const [path, text] of Object.entries(SOURCES)) {
      await mkdir(dirname(join(folder, path)), { recursive: true })
      await writeFile(join(folder, path), text)
    }
    const entryPoints = Object.fromEntries(DOORS.map((out) => [out, join(folder, `${out}.js`)]))
    await build({
      entryPoints,
      outdir,
      bundle: true,
      splitting: true,
      format: 'esm',
      inject: [join(folder, 'build/injected.js')],
    })
    before = await filesIn()
    await mergeChunks(outdir, DOORS)
  })
  afterEach(() => rm(folder, { recursive: true }))

  it('are fewer files, and no others have gone', async () => {
    const chunks = before.filter((path) => path.startsWith('chunk-'))
    expect(chunks.length).to.be.above(1)
    const after = await filesIn()
    const others = (paths: readonly string[]) => paths.filter((path) => !path.startsWith('chunk-'))
    expect(others(after)).to.deep.equal(others(before))
    expect(after.length).to.be.below(before.length)
  })

  it('export the same by each door, and share what they hold', async () => {
    const { counted, first, later } = await door('index.js')
    const { count, second } = await door('internal.js')
    const { all } = await door('deep/door.js')
    const { countLater } = await later()
    expect([first, second]).to.deep.equal(['first', 'second'])
    expect([counted(), count(), countLater()]).to.deep.equal([1, 2, 3])
    expect(all()).to.deep.equal(['first', 'second', 4])
  })

  it('add no name to the door for programs', async () => {
    expect(Object.keys(await door('index.js'))).to.deep.equal([
      'alone',
      'counted',
      'first',
      'later',
    ])
  })

  it('are loaded for something, each of them', async () => {
    const files = await filesIn()
    const texts = await Promise.all(files.map((path) => readFile(join(outdir, path), 'utf8')))
    for (const text of texts) expect(text).to.not.match(/^import "\.\.?\/chunk-/m)
    for (const chunk of files.filter((path) => path.startsWith('chunk-')))
      expect(
        texts.some((text) => text.includes(`/${chunk}"`)),
        chunk,
      ).to.equal(true)
  })

  it('must be those of a door that there is', async () => {
    const failed = await mergeChunks(outdir, ['other']).catch((error: Error) => error.message)
    expect(failed).to.equal('The bundle has no file of "other".')
  })
})
