import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { bundledManifests, discover } from '../../../src/core/load/discover.ts'
import type { LoadedPlugin, LoadOptions } from '../../../src/core/load/load-plugin.ts'
import { pin } from '../../../src/core/load/trust.ts'
import { currentPins } from '../../../src/core/load/trusted-folder.ts'
import { loaderOf, readPlugins } from '../../../src/core/load/unloaded-plugin.ts'
import { HostError } from '../../../src/plugin/errors.ts'
import type { AnyPlugin } from '../../../src/plugin/plugin.ts'
import { useConfigFolder } from '../../helpers/config-folder.ts'

const PLUGIN = "export default { kind: 'extension', name: 'shout' }\n"

async function write(folder: string, files: { readonly [path: string]: unknown }): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    const target = join(folder, path)
    await mkdir(join(target, '..'), { recursive: true })
    await writeFile(target, typeof content === 'string' ? content : JSON.stringify(content))
  }
}

function manifest(name: string, more: object = {}) {
  return {
    name: `pkg-${name}`,
    version: '1.0.0',
    type: 'module',
    braidwork: {
      apiVersion: 1,
      plugins: [{ kind: 'extension', name, entry: './index.js' }],
      ...more,
    },
  }
}

/** The plugin that a reference stands for, its module run. */
async function loadPlugin(reference: string, options: LoadOptions): Promise<LoadedPlugin> {
  const [read = { diagnostics: [] }] = await readPlugins(reference, options)
  const load = read.plugin ? loaderOf(read.plugin as AnyPlugin) : undefined
  return load ? await load() : read
}

/** The plugins that come with the host. */
const BUNDLED = ['ask-user', 'calculator', 'clock', 'instructions', 'scripted', 'think-tags']

describe('loading a plugin', () => {
  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'braidwork-'))
  })
  afterEach(() => rm(folder, { recursive: true }))

  it('refuses at once what is no regular file', async function () {
    if (process.platform === 'win32') this.skip()
    execFileSync('mkfifo', [join(folder, 'pipe.mjs')])
    const { diagnostics } = await loadPlugin('./pipe.mjs', { from: folder, seconds: 5 })
    expect(diagnostics[0]?.message).to.include('could not be loaded: it is not a regular file')
  })

  async function messageOf(reference: string): Promise<string> {
    const { plugin, diagnostics } = await loadPlugin(reference, { from: folder })
    expect(plugin).to.equal(undefined)
    expect(diagnostics.map(({ code }) => code)).to.deep.equal(['PLUGIN_NOT_LOADED'])
    return diagnostics[0]?.message ?? ''
  }

  /** A module that throws what Node's own loader throws for another one, since tsx runs these modules here. */
  const thrownWith = (said: string, code?: string) =>
    `throw Object.assign(new SyntaxError(${JSON.stringify(said)}), { code: ${JSON.stringify(code)} })`

  it('says what to do about TypeScript that Node does not run, and where it is', async () => {
    const said = 'TypeScript enum is not supported in strip-only mode'
    await write(folder, {
      'enum.mjs': thrownWith(said, 'ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX'),
      'typo.mjs': thrownWith('Expression expected', 'ERR_INVALID_TYPESCRIPT_SYNTAX'),
    })
    expect(await messageOf('./enum.mjs'))
      .to.include(`${said} (`)
      .and.include('enum.mjs:1): Node only takes types out')
    expect(await messageOf('./typo.mjs')).to.match(/: Expression expected \(.*typo\.mjs:1\)\.$/)
  })

  it('says which member of package.json makes a file an ES module', async () => {
    await write(folder, { 'old.mjs': thrownWith('Cannot use import statement outside a module') })
    expect(await messageOf('./old.mjs')).to.match(
      /set "type": "module" in the package\.json [^(]*$/,
    )
  })

  it('loads a module by its path', async () => {
    await write(folder, { 'shout.mjs': PLUGIN })
    expect((await loadPlugin('./shout.mjs', { from: folder })).plugin).to.deep.equal({
      kind: 'extension',
      name: 'shout',
    })
  })

  it('loads a folder and a package by their manifest', async () => {
    await write(folder, {
      'node_modules/pkg-shout/package.json': manifest('shout'),
      'node_modules/pkg-shout/index.js': PLUGIN,
    })
    const expected = { kind: 'extension', name: 'shout' }
    expect((await loadPlugin('./node_modules/pkg-shout', { from: folder })).plugin).to.deep.equal(
      expected,
    )
    expect((await loadPlugin('pkg-shout', { from: folder })).plugin).to.deep.equal(expected)
    expect(
      (await loadPlugin('pkg-shout', { from: join(folder, 'deeper', 'down') })).plugin,
    ).to.deep.equal(expected)
  })

  it('loads a bundled plugin by its name and by its package', async () => {
    const byName = await loadPlugin('scripted', { from: folder })
    const byPackage = await loadPlugin('@braidwork/provider-scripted', { from: folder })
    expect(byName.plugin).to.have.property('name', 'scripted')
    expect(byPackage.plugin).to.equal(byName.plugin)
  })

  it('waits no longer for a module than its limit', async () => {
    await write(folder, { 'a.mjs': 'await new Promise(() => {})' })
    const { diagnostics } = await loadPlugin('./a.mjs', { from: folder, seconds: 0.05 })
    expect(diagnostics.map(({ message }) => message)).to.deep.equal([
      'Plugin "./a.mjs" could not be loaded: it did not answer within 0.05 s.',
    ])
  })

  const wrong: [
    title: string,
    files: { [path: string]: unknown },
    reference: string,
    says: string,
  ][] = [
    ['a path where nothing is', {}, './none.js', 'there is no file or folder'],
    ['a package that is not there', {}, 'none-such', 'Install it, or give a path'],
    ['a bundled plugin misspelled', {}, 'scriptd', 'Did you mean "scripted"?'],
    ['a shipped plugin misspelled', {}, 'antropic', 'Did you mean "anthropic"? Install it'],
    [
      'a shipped plugin that is not installed',
      {},
      'anthropic',
      'It needs the package "@braidwork/provider-anthropic", which is not installed. Run "npm install @braidwork/provider-anthropic".',
    ],
    [
      'the package of a shipped plugin that is not installed',
      {},
      '@braidwork/tool-mcp',
      'Run "npm install @braidwork/tool-mcp".',
    ],
    ['an empty name', {}, '', 'Plugin "" could not be loaded: the name is empty; give'],
    [
      'a plugin that its package does not have',
      {
        'node_modules/pkg-shout/package.json': manifest('shout'),
        'node_modules/pkg-shout/index.js': PLUGIN,
      },
      'pkg-shout/shuot',
      'could not be loaded: its package is here, but has no such plugin; it has "shout"',
    ],
    [
      'a plugin of an installed package, without the name of that',
      {
        'package.json': { dependencies: { 'pkg-shout': '*' } },
        'node_modules/pkg-shout/package.json': manifest('shout'),
        'node_modules/pkg-shout/index.js': PLUGIN,
      },
      'shout',
      'Use "pkg-shout", which is installed and has it',
    ],
    [
      'a module without a default export',
      { 'a.mjs': 'export const a = 1' },
      './a.mjs',
      'no default export',
    ],
    [
      'a module that throws',
      { 'a.mjs': "\n\nthrow new Error('at import')" },
      './a.mjs',
      'a.mjs:3).',
    ],
    ['a module with a syntax error', { 'a.mjs': 'export default {' }, './a.mjs', 'Unexpected'],
    ['a folder without a manifest', { 'b/package.json': { name: 'b' } }, './b', 'no "braidwork"'],
    ['a manifest that is no JSON', { 'b/package.json': '{' }, './b', 'is not valid at /'],
    [
      'a manifest of another version',
      { 'b/package.json': manifest('b', { apiVersion: 9 }) },
      './b',
      'need version 9 of the contract, but this host supports up to 1: use a newer braidwork',
    ],
    [
      'a manifest with an unknown kind',
      { 'b/package.json': manifest('b', { plugins: [{ kind: 'addon', name: 'b', entry: 'x' }] }) },
      './b',
      'kinds are provider',
    ],
    [
      'a manifest whose entry is not there',
      { 'b/package.json': manifest('b') },
      './b',
      'there is no file "./index.js"',
    ],
  ]
  for (const [title, files, reference, says] of wrong) {
    it(`gives a diagnostic for ${title}`, async () => {
      await write(folder, files)
      const message = await messageOf(reference)
      expect(message).to.contain(says)
      expect(message).to.match(/[^.?]\.$/)
    })
  }
})

describe('loading a plugin without the package for Python', () => {
  const without = async (): Promise<never> => {
    throw new HostError('PACKAGE_MISSING', 'Plugins in Python need the package "x".')
  }
  const close = () => Promise.resolve()
  const python = { load: without, distribution: without, place: without, close }

  async function faultOf(reference: string): Promise<string | undefined> {
    const { plugin, diagnostics } = await loadPlugin(reference, { from: tmpdir(), python })
    expect([plugin, diagnostics.length]).to.deep.equal([undefined, 1])
    expect(diagnostics[0]?.code).to.equal('PLUGIN_NOT_LOADED')
    return diagnostics[0]?.message
  }

  it('says how to install a shipped plugin, and nothing of Python', async () => {
    expect(await faultOf('anthropic')).to.match(
      /Run "npm install @braidwork\/provider-anthropic"\.$/,
    )
    expect(await faultOf('')).to.match(/the name is empty; [^"]* "\.\/"\.$/)
  })

  it('says of another name that nothing has it, and what a Python distribution would need', async () => {
    expect(await faultOf('braidwork-nope')).to.equal(
      `Plugin "braidwork-nope" could not be loaded: there is no package with that name in the node_modules of "${tmpdir()}" or above, and no bundled plugin. Install it, or give a path that begins with "./". If it is a Python distribution, also run "npm install @braidwork/python".`,
    )
  })
})

describe('discover', () => {
  const configFolder = useConfigFolder()
  let folder: string
  beforeEach(() => {
    folder = configFolder()
  })

  const project = {
    'package.json': { dependencies: { 'pkg-shout': '*', plain: '*' }, workspaces: ['own/*'] },
    'node_modules/pkg-shout/package.json': manifest('shout'),
    'node_modules/pkg-shout/index.js': PLUGIN,
    'node_modules/plain/package.json': { name: 'plain' },
    'own/angry/package.json': manifest('angry'),
    'own/angry/index.js': PLUGIN,
  }

  async function found(from: string): Promise<string[]> {
    return discover(from).plugins.map(({ name }) => name)
  }

  it('finds the bundled plugins everywhere', async () => {
    expect(
      bundledManifests().flatMap(({ plugins }) => plugins.map(({ name }) => name)),
    ).to.have.members(BUNDLED)
    expect(await found(folder)).to.deep.equal(BUNDLED)
  })

  it('finds dependencies and workspaces, in order of name, where the folder is trusted', async () => {
    await write(folder, project)
    pin(folder, currentPins(folder))
    expect(await found(folder)).to.deep.equal([...['angry', ...BUNDLED, 'shout'].sort()])
    expect(await found(join(folder, 'own', 'angry', '..'))).to.deep.equal([
      ...['angry', ...BUNDLED, 'shout'].sort(),
    ])
  })

  it('sorts plugins, not packages: one package may have several', async () => {
    const plugins = ['zoo', 'ant'].map((name) => ({ kind: 'feature', name, entry: './index.js' }))
    await write(folder, {
      ...project,
      'own/angry/package.json': manifest('angry', { plugins }),
    })
    pin(folder, currentPins(folder))
    const names = await found(folder)
    expect(names).to.deep.equal([...names].sort())
    expect(names).to.include.members(['ant', 'shout', 'zoo'])
  })

  it('loads nothing from a folder by being started in it, and says so', async () => {
    await write(folder, project)
    const { diagnostics } = discover(folder)
    expect(await found(folder)).to.deep.equal(BUNDLED)
    expect(diagnostics.map(({ code }) => code)).to.deep.equal(['FOLDER_UNTRUSTED'])
  })

  it('takes a broken manifest as a diagnostic', async () => {
    await write(folder, { ...project, 'own/angry/package.json': '{' })
    pin(folder, currentPins(folder))
    const { diagnostics } = discover(folder)
    expect(diagnostics.map(({ code }) => code)).to.deep.equal(['MANIFEST_INVALID'])
  })
})
