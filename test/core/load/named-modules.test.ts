import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { expect } from 'chai'
import { readModules } from '../../../src/core/load/named-modules.ts'
import { runsOf } from '../../helpers/cases.ts'

describe('the modules of a plugin', () => {
  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'braidwork-'))
  })
  afterEach(() => rm(folder, { recursive: true }))

  async function named(entry: string, files: { readonly [path: string]: string }) {
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(join(folder, path)), { recursive: true })
      await writeFile(join(folder, path), text)
    }
    const read: string[] = []
    readModules(join(folder, entry), (path) => {
      const own = relative(folder, path)
      read.push(own)
      return files[own]
    })
    return read.toSorted()
  }

  for (const ending of [
    '.js',
    '.mjs',
    '.cjs',
    '.ts',
    '.mts',
    '.cts',
    '.node',
    '/index.js',
    '/index.ts',
  ])
    it(`are found if an import leaves out the ending: ${ending}`, async () => {
      const file = `lib${ending}`
      const files = { 'main.mjs': `import './lib'`, [file]: '' }
      expect(await named('main.mjs', files)).to.deep.equal([file, 'main.mjs'].toSorted())
    })

  it('are those whose relative paths stand in it in quotes, and in those', async () => {
    const files = {
      'index.mjs': `import a from './a.mjs'; import('./lib/b'); require(\`../x.cjs\`); new URL('./w.wasm?x')`,
      'a.mjs': `export * from "./index.mjs" // a circle`,
      'lib/b.js': `import '../c.js'`,
      'c.ts': `import 'd.js'`,
      'd.js': '',
      'w.wasm': '',
      'data.json': `'./data.json'`,
    }
    expect(await named('index.mjs', files)).to.deep.equal(
      ['index.mjs', 'a.mjs', 'lib/b.js', 'c.ts', 'w.wasm'].toSorted(),
    )
  })

  it('are none of a file that is no script', async () => {
    const files = { 'plugin.json': `"./a.js"`, 'a.js': '' }
    expect(await named('plugin.json', files)).to.deep.equal(['plugin.json'])
  })

  it('are in Python those beside it whose names stand in it, of packages too', async () => {
    const files = {
      'plugin.py': 'from . import (\n  one)\nimport pack.two as t, json\n',
      'one.py': 'import_module("three")',
      'three.py': '',
      'json.py': '',
      'four.py': '',
      'two.pyc': '',
      'three.pyi': '',
      'pack/__init__.py': '',
      'pack/two.py': 'from .five import x',
      'pack/five.py': '',
      'pack/six.py': '',
    }
    expect(await named('plugin.py', files)).to.deep.equal(
      [
        'plugin.py',
        'one.py',
        'three.py',
        'json.py',
        'pack/__init__.py',
        'pack/two.py',
        'pack/five.py',
      ]
        .filter((path) => path in files)
        .toSorted(),
    )
  })

  it('end, however large a module is, and however it is written', async function () {
    this.timeout(30_000)
    const text = `${`'./`.repeat(runsOf(200_000))}${'"../'.repeat(runsOf(200_000))}`
    expect(await named('index.mjs', { 'index.mjs': text })).to.deep.equal(['index.mjs'])
    const many = Array.from({ length: 1_050 }, (_, at) => `m${at}`)
    const files = Object.fromEntries(many.map((name) => [`${name}.mjs`, '']))
    const entry = many.map((name) => `import './${name}.mjs'`).join('\n')
    expect(await named('index.mjs', { ...files, 'index.mjs': entry })).to.have.length(1_000)
  })
})
