import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect } from 'chai'
import { discover } from '../../../src/core/load/discover.ts'
import { readManifest } from '../../../src/core/load/manifest.ts'

const PLUGIN = { kind: 'extension', name: 'shout', entry: './index.js' }

describe('readManifest', () => {
  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'braidwork-'))
    await write('index.js', '')
    await write('plugin.py', '')
  })
  afterEach(() => rm(folder, { recursive: true }))

  async function write(path: string, content: unknown): Promise<void> {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(
      join(folder, path),
      typeof content === 'string' ? content : JSON.stringify(content),
    )
  }

  function packageJson(braidwork: unknown): Promise<void> {
    return write('package.json', { name: 'pkg', version: '1.2.3', braidwork })
  }

  function thrown(): string {
    try {
      readManifest(folder)
    } catch (error) {
      return (error as Error).message
    }
    return 'nothing was thrown'
  }

  it('reads what a package.json says of its plugins', async () => {
    await packageJson({
      apiVersion: 1,
      plugins: [{ ...PLUGIN, title: 'Shout', defaultEnabled: false }],
    })
    expect(readManifest(folder)).to.deep.equal({
      package: 'pkg',
      version: '1.2.3',
      folder,
      plugins: [
        { ...PLUGIN, title: 'Shout', defaultEnabled: false, entry: join(folder, 'index.js') },
      ],
      diagnostics: [],
    })
  })

  it('reads the same from a pyproject.toml, where keys are written as they are there', async () => {
    await write(
      'pyproject.toml',
      `
[project]
name = "py-shout"
version = "0.2.0"

[tool.braidwork]
api-version = 1

[[tool.braidwork.plugins]]
kind = "extension"
name = "shout"
entry = "plugin.py"
tags = ["loud"]
default-enabled = false
`,
    )
    expect(readManifest(folder)).to.deep.equal({
      package: 'py-shout',
      version: '0.2.0',
      folder,
      plugins: [
        {
          kind: 'extension',
          name: 'shout',
          entry: join(folder, 'plugin.py'),
          tags: ['loud'],
          defaultEnabled: false,
        },
      ],
      diagnostics: [],
    })
  })

  it('finds nothing in a folder whose files speak of other things', async () => {
    await write('package.json', { name: 'pkg' })
    await write('pyproject.toml', '[tool.braidwork]\nisolation = "own"\n')
    expect(readManifest(folder)).to.equal(undefined)
  })

  const whole: readonly (readonly [title: string, braidwork: unknown, says: string])[] = [
    ['no object', 7, 'it is not an object {apiVersion, plugins}'],
    [
      'no list of plugins',
      { apiVersion: 1, plugins: {} },
      'it is not an object {apiVersion, plugins}',
    ],
    ['no apiVersion', { plugins: [PLUGIN] }, 'it must be the version of the plugin contract'],
    [
      'an apiVersion that is no number',
      { apiVersion: '1', plugins: [PLUGIN] },
      'it must be the version of the plugin contract',
    ],
    ['a future apiVersion', { apiVersion: 2, plugins: [PLUGIN] }, 'use a newer braidwork'],
    ['a past apiVersion', { apiVersion: 0, plugins: [PLUGIN] }, 'use newer plugins'],
  ]
  for (const [title, braidwork, says] of whole) {
    it(`refuses a manifest with ${title}`, async () => {
      await packageJson(braidwork)
      expect(thrown())
        .to.include(says)
        .and.match(/^package\.json of ".*" is not valid at \/braidwork/)
    })
  }

  it('refuses a pyproject.toml that is no TOML', async () => {
    await write('pyproject.toml', '[tool.braidwork\n')
    expect(thrown()).to.match(/pyproject\.toml of .* is not valid TOML/)
  })

  const single: readonly (readonly [
    title: string,
    plugin: unknown,
    pointer: string,
    says: string,
  ])[] = [
    ['no object', 'shout', '', 'a plugin must be an object'],
    ['an unknown kind', { ...PLUGIN, kind: 'addon' }, '/kind', 'kinds are provider'],
    ['no name', { ...PLUGIN, name: '' }, '/name', 'a name consists of letters'],
    [
      'a name with a path in it',
      { ...PLUGIN, name: '../x' },
      '/name',
      'a name consists of letters',
    ],
    [
      'an entry that is not there',
      { ...PLUGIN, entry: './dist/none.js' },
      '/entry',
      'there is no file',
    ],
    [
      'an entry outside of the package',
      { ...PLUGIN, entry: '../../../etc/passwd' },
      '/entry',
      'is outside the package',
    ],
    ['an absolute entry', { ...PLUGIN, entry: '/etc/passwd' }, '/entry', 'is outside the package'],
    ['an entry that is a folder', { ...PLUGIN, entry: '.' }, '/entry', 'is not a file'],
    [
      'a description that is no text',
      { ...PLUGIN, description: 7 },
      '/description',
      'it is not a string',
    ],
    ['a title that is no text', { ...PLUGIN, title: 7 }, '/title', 'it is not a string'],
    [
      'a title in another language that is no text',
      { ...PLUGIN, 'x-i18n': { de: { title: 7 } } },
      '/x-i18n',
      'it is not an object {<language>: {title?, description?}}',
    ],
    [
      'providers that are no list',
      { ...PLUGIN, providers: 'openai' },
      '/providers',
      'it is not a list of strings',
    ],
    [
      'a default that is neither',
      { ...PLUGIN, defaultEnabled: 'no' },
      '/defaultEnabled',
      'neither true nor false',
    ],
  ]
  for (const [title, plugin, pointer, says] of single) {
    it(`leaves out a plugin with ${title}, and keeps the others`, async () => {
      await packageJson({ apiVersion: 1, plugins: [plugin, { ...PLUGIN, name: 'other' }] })
      const { plugins = [], diagnostics = [] } = readManifest(folder) ?? {}
      expect(plugins.map(({ name }) => name)).to.deep.equal(['other'])
      expect(diagnostics).to.have.length(1)
      expect(diagnostics[0]).to.include({
        code: 'MANIFEST_INVALID',
        level: 'error',
        pointer: `/braidwork/plugins/0${pointer}`,
      })
      expect(diagnostics[0]?.message).to.include(says)
    })
  }

  it('runs no module of 200 packages that are found', async () => {
    const names = Array.from({ length: 200 }, (_, at) => `p${at}`)
    const mark = join(folder, 'mark')
    const code = `import { writeFileSync } from 'node:fs'; writeFileSync(${JSON.stringify(mark)}, '')`
    for (const name of names) {
      await write(`node_modules/${name}/package.json`, {
        name,
        braidwork: { apiVersion: 1, plugins: [{ ...PLUGIN, name }] },
      })
      await write(`node_modules/${name}/index.js`, code)
    }
    const added = names.map((name) => join(folder, 'node_modules', name))
    const { plugins, diagnostics } = discover(folder, added)
    expect(plugins.map(({ name }) => name)).to.include.members(names)
    expect(diagnostics).to.deep.equal([])
    expect(existsSync(mark)).to.equal(false)
  })
})
