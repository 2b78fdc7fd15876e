import { existsSync } from 'node:fs'
import {
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { type CommandFolder, eachCommandFolder } from '../helpers/command-folder.ts'
import { type NpmRegistry, npmRegistry } from '../helpers/npm-registry.ts'
import { type PackedPlugin, packPlugin } from '../helpers/packed-plugin.ts'
import { hasTerminal, Terminal } from '../helpers/terminal.ts'
import { COMMAND, type Ran } from './command.ts'
import { sharedCommand } from './shared-command.ts'

const SHOUT = { name: 'pkg-shout', plugin: {} }
/** Commands that only list what is installed. */
const LISTING: readonly (string | undefined)[] = [undefined, 'list']
const SHA = /sha512-[\w+/]+=*/

describe('braidwork plugins, from a registry', function () {
  this.timeout(60_000)
  let folder: string
  let registry: NpmRegistry
  let env: NodeJS.ProcessEnv
  let command: CommandFolder['run']
  eachCommandFolder((made) => {
    folder = made.folder
    command = made.run
    env = { ...made.env, npm_config_fetch_retries: '0', npm_config_cache: join(folder, 'cache') }
  })
  beforeEach(async () => {
    registry = await npmRegistry()
    env = { ...env, npm_config_registry: registry.address }
  })
  afterEach(() => registry.close())

  const shared = sharedCommand()
  const run = (...args: readonly string[]): Promise<Ran> => {
    const words = ['plugins', ...args]
    const isListing = LISTING.includes(args[0])
    return isListing ? shared(words, { cwd: folder, env }) : command(words, { env })
  }
  const at = (...path: readonly string[]) => join(folder, 'config', 'braidwork', ...path)
  const add = (spec: string): Promise<Ran> => run('add', spec, '--yes')

  async function publish(...packages: readonly PackedPlugin[]): Promise<void> {
    for (const one of packages) await registry.publish(await packPlugin(folder, one))
  }

  /** All files and their contents that belong to Braidwork. */
  async function files(): Promise<{ readonly [path: string]: string }> {
    const roots = ['config', 'data'].map((name) => join(folder, name)).filter(existsSync)
    const found = await Promise.all(
      roots.map((root) => readdir(root, { recursive: true, withFileTypes: true })),
    )
    const paths = found.flat().filter((entry) => entry.isFile())
    const read = paths.map(async ({ parentPath, name }) => {
      const path = join(parentPath, name)
      return [path, await readFile(path, 'utf8')] as const
    })
    return Object.fromEntries(await Promise.all(read))
  }

  /** Runs a command that must fail and change nothing. @returns its error */
  async function fails(args: readonly string[], code: string): Promise<string> {
    const before = await files()
    const { status, err } = await run(...args)
    expect(err).to.match(new RegExp(`error ${code}: `))
    expect(status).to.be.oneOf([1, 2])
    expect(await files()).to.deep.equal(before)
    expect(existsSync(at('packages')) ? await readdir(at('packages')) : []).to.satisfy(
      (names: string[]) => names.every((name) => !name.startsWith('.')),
    )
    return err
  }

  it('installs a package after it said what its plugins may do', async () => {
    await publish({
      ...SHOUT,
      plugin: { defaultEnabled: false, hooks: ['fromNative'], network: [], variables: ['TEA'] },
    })
    const { status, out, err } = await add('pkg-shout')
    expect(err).to.equal('fetching pkg-shout; none of its code is run\n')
    expect(status).to.equal(0)
    expect(out.replace(SHA, 'HASH')).to.equal(`pkg-shout 1.0.0 (HASH)
  extension "shout", off until a config enables it
    reads and changes requests and answers, also while they stream
    runs in the process of Braidwork
    hooks: fromNative
    environment variables: TEA
    network: none, its manifest says
A plugin is code. It has all rights of the process that runs it, and nothing holds it to what its manifest says. Add it only if you trust its authors and those of the packages that it brings.
added extension "shout" from ${at('packages/pkg-shout/node_modules/pkg-shout')}
`)
    const lock = JSON.parse(await readFile(at('plugins-lock.json'), 'utf8')) as {
      packages: { [name: string]: { integrity: string } }
    }
    const { integrity } = lock.packages['pkg-shout'] ?? expect.fail('no entry')
    expect(integrity).to.equal(SHA.exec(out)?.[0])
    const entry = { version: '1.0.0', range: '^1.0.0', integrity }
    expect(lock).to.deep.equal({ packages: { 'pkg-shout': entry } })
    const list = await run('list', '--json')
    const found = JSON.parse(list.out) as { name: string; integrity?: string }[]
    expect(found.find(({ name }) => name === 'shout')?.integrity).to.equal(integrity)
    expect((await run('list')).out)
      .to.equal((await run()).out)
      .and.include('pkg-shout@1.0.0')
  })

  it('tells the marks of tools, what is brought, and what the manifest does not say', async () => {
    const tools = [
      { name: 'look', safety: { is_read_only: true } },
      { name: 'wipe', safety: { is_destructive: true } },
      { name: 'any' },
    ]
    await publish(
      { name: 'a-deep', version: '3.0.0' },
      { name: 'dep', version: '2.0.0', json: { dependencies: { 'a-deep': '*' } } },
      {
        name: '@me/kit',
        plugin: { kind: 'tool', name: 'kit', tools, network: ['*'] },
        json: { dependencies: { dep: '^2.0.0' } },
        files: { 'index.js': "export default { kind: 'tool', name: 'kit' }\n" },
      },
    )
    const { out } = await add('@me/kit@1.x')
    expect(out).to.include('tools: look (only reads), wipe (may destroy), any (without marks)')
    expect(out).to.include('hooks: its manifest does not say').and.include('network: any host')
    expect(out).to.include('brings other packages: dep 2.0.0, a-deep 3.0.0 (for dep)\n')
    expect(await readdir(at('packages'))).to.deep.equal(['@me+kit'])
    expect(await readFile(at('plugins-lock.json'), 'utf8')).to.include('"range": "1.x"')
  })

  it('tells of packages for several platforms only the one that is installed', async () => {
    const [here, other] = ['linux', 'win32'].map((os) => ({
      name: `dep-${os}`,
      json: { os: [os] },
    }))
    const optionalDependencies = { 'dep-linux': '1.0.0', 'dep-win32': '1.0.0' }
    for (const one of [here, other]) if (one) await publish(one)
    await publish({ ...SHOUT, json: { optionalDependencies } })
    const { out } = await add('pkg-shout')
    const there = process.platform === 'win32' ? 'dep-win32' : 'dep-linux'
    expect(out).to.include(`brings other packages: ${there} 1.0.0\n`)
  })

  it('gives a package this host where it names one among its peers, and installs no second one', async () => {
    const peers = { peerDependencies: { braidwork: '^0.1.0', '@braidwork/core': '*', dep: '1.x' } }
    const code = `import { HostError } from 'braidwork/plugin'
      import { createHost } from '@braidwork/core'
      export default { kind: 'extension', name: 'shout', about: [HostError, createHost] }\n`
    await publish(
      { name: 'dep', version: '1.0.0' },
      { ...SHOUT, plugin: { name: 'shout' }, json: peers, files: { 'index.js': code } },
    )
    const { status, out, err } = await add('pkg-shout')
    expect(status, err).to.equal(0)
    expect(out).to.match(/^ {2}brings other packages: dep 1\.0\.0$/m)
    const installed = at('packages/pkg-shout')
    expect((await readdir(installed)).sort()).to.not.include('own-host')
    expect(await realpath(join(installed, 'node_modules', 'braidwork'))).to.match(/src\/cli$/)
    expect((await run('remove', 'shout')).status).to.equal(0)
    expect(existsSync(COMMAND)).to.equal(true)
  })

  it('installs nothing without a terminal and --yes', async () => {
    await publish(SHOUT)
    const err = await fails(['add', 'pkg-shout'], 'OPTION_INVALID')
    expect(err).to.include('braidwork plugins add pkg-shout --yes')
  })

  it('asks on a terminal', async function () {
    if (!hasTerminal()) return this.skip()
    await publish(SHOUT)
    for (const [answer, expected, said] of [
      ['No', false, 'Nothing was changed.'],
      ['Yes', true, 'added extension "shout" from'],
    ] as const) {
      const terminal = new Terminal(['plugins', 'add', 'pkg-shout'], { cwd: folder, env })
      await terminal.sees('extension "shout"')
      await terminal.choose('Add pkg-shout?', answer)
      await terminal.sees(said)
      expect((await terminal.ends()).status).to.equal(0)
      expect(existsSync(at('packages/pkg-shout'))).to.equal(expected)
    }
  })

  it('runs no install scripts, and says so', async () => {
    const touch = `node -e "require('fs').writeFileSync('${join(folder, 'ran')}', '')"`
    const scripts = { preinstall: touch, install: touch, postinstall: touch }
    await publish({ ...SHOUT, json: { scripts } })
    const { status, out } = await add('pkg-shout')
    expect(status).to.equal(0)
    expect(out).to.include('pkg-shout 1.0.0 has install scripts. They are not run')
    expect(existsSync(join(folder, 'ran'))).to.equal(false)
  })

  describe('says what is wrong, and leaves all as it was', () => {
    let kept: string
    let first: string
    before(async () => {
      kept = await mkdtemp(join(tmpdir(), 'braidwork-'))
    })
    after(() => rm(kept, { recursive: true }))

    /** The first test adds a package. The others copy what came of it, which has the path of the folder in it. */
    beforeEach(async () => {
      await publish({ name: 'pkg-other', plugin: { name: 'other' } })
      if (!existsSync(join(kept, 'config'))) {
        expect((await add('pkg-other')).status).to.equal(0)
        await cp(join(folder, 'config'), join(kept, 'config'), { recursive: true })
        first = folder
        return
      }
      await cp(kept, folder, { recursive: true })
      for (const [path, text] of Object.entries(await files())) {
        if (text.includes(first)) await writeFile(path, text.replaceAll(first, folder))
      }
      expect((await run('list')).out).to.include('pkg-other@1.0.0')
    })

    it('of a name that is no package of the registry', async () => {
      for (const spec of [
        'git+ssh://me@host/x.git',
        'x@npm:y',
        'me/x',
        'https://x/y.tgz',
        'X',
        '@x',
      ])
        await fails(['add', spec, '--yes'], 'OPTION_INVALID')
    })

    it('of a package or a version that there is not', async () => {
      expect(await fails(['add', 'gone', '--yes'], 'PACKAGE_INSTALL_FAILED')).to.include('(E404)')
      const version = await fails(['add', 'pkg-other@9', '--yes'], 'PACKAGE_INSTALL_FAILED')
      expect(version).to.include('the registry has no version "pkg-other@9". Nothing')
    })

    it('of a registry that cannot be reached, or breaks off', async () => {
      await publish({ name: 'dep' }, { ...SHOUT, json: { dependencies: { dep: '1.0.0' } } })
      registry.breakOff('dep')
      await fails(['add', 'pkg-shout', '--yes'], 'PACKAGE_INSTALL_FAILED')
      env = { ...env, npm_config_registry: 'http://127.0.0.1:9/' }
      const err = await fails(['add', 'pkg-shout', '--yes'], 'PACKAGE_INSTALL_FAILED')
      expect(err).to.include('the registry cannot be reached')
    })

    it('of a machine without npm', async () => {
      const PATH = join(folder, 'bin')
      await mkdir(PATH)
      await symlink(process.execPath, join(PATH, 'node'))
      env = { ...env, PATH }
      await fails(['add', 'pkg-shout', '--yes'], 'NPM_MISSING')
    })

    it('of a package without plugins, or with a faulty manifest', async () => {
      await publish({ name: 'plain' }, { name: 'faulty', plugin: { kind: 'addon' } })
      const plain = await fails(['add', 'plain', '--yes'], 'MANIFEST_INVALID')
      expect(plain).to.include('"plain@1.0.0" is not a package of plugins')
      const faulty = await fails(['add', 'faulty', '--yes'], 'MANIFEST_INVALID')
      expect(faulty).to.include('/braidwork/plugins/0/kind')
      await publish({ name: 'sly', plugin: { tools: [{}] } })
      expect(await fails(['add', 'sly', '--yes'], 'MANIFEST_INVALID')).to.include('/0/tools')
    })

    it('of a plugin whose name is taken', async () => {
      await publish(
        { name: 'a', plugin: { name: 'clock' } },
        { name: 'b', plugin: { name: 'other' } },
      )
      const clock = await fails(['add', 'a', '--yes'], 'PLUGIN_NAME_TAKEN')
      expect(clock).to.include('@braidwork/tool-clock')
      expect(await fails(['add', 'b', '--yes'], 'PLUGIN_NAME_TAKEN')).to.include('pkg-other')
    })

    it('of a package that was added from a folder', async () => {
      await publish(SHOUT)
      const path = join(folder, 'local')
      await mkdir(path)
      const plugin = { kind: 'extension', name: 'shout', entry: './index.js' }
      const manifest = { apiVersion: 1, plugins: [plugin] }
      const json = { name: 'pkg-shout', version: '1.0.0', type: 'module', braidwork: manifest }
      await writeFile(join(path, 'package.json'), JSON.stringify(json))
      await writeFile(join(path, 'index.js'), '')
      const local = await command(['plugins', 'add', path], { env })
      expect(local).to.include({ status: 0, err: '' })
      expect(await fails(['add', 'pkg-shout', '--yes'], 'PLUGIN_NAME_TAKEN')).to.include(path)
      expect((await command(['plugins', 'remove', path], { env })).status).to.equal(0)
    })

    it('of a package that has to be compiled, but not of a compiled one', async () => {
      const gyp = { 'binding.gyp': '{}' }
      await publish({ ...SHOUT, files: gyp })
      const err = await fails(['add', 'pkg-shout', '--yes'], 'PACKAGE_INSTALL_FAILED')
      expect(err).to.include('pkg-shout 1.0.0, which has to be compiled')
      await publish({ ...SHOUT, version: '1.0.1', files: { ...gyp, 'prebuilds/x.node': '' } })
      expect((await add('pkg-shout')).status).to.equal(0)
    })

    it('of a package that needs another version of Braidwork, whether it is published or not', async () => {
      const needs = (name: string, range: string) => ({ peerDependencies: { [name]: range } })
      await publish(
        { ...SHOUT, version: '1.0.0', json: { dependencies: { '@braidwork/core': '9.0.0' } } },
        { ...SHOUT, version: '1.0.1', json: needs('braidwork', '^9.0.0') },
        { name: 'between', json: needs('braidwork', '^8.0.0') },
        { ...SHOUT, version: '1.0.2', json: { dependencies: { between: '*' } } },
        { name: '@braidwork/plugin', version: '0.0.1' },
        { ...SHOUT, version: '1.0.3', json: { dependencies: { '@braidwork/plugin': '^9.0.0' } } },
      )
      for (const [version, code, said] of [
        ['1.0.0', 'PACKAGE_MISMATCH', '"pkg-shout@1.0.0" needs @braidwork/core "9.0.0"'],
        ['1.0.1', 'PACKAGE_MISMATCH', '"pkg-shout@1.0.1" needs braidwork "^9.0.0"'],
        [
          '1.0.2',
          'PACKAGE_MISMATCH',
          '"pkg-shout@1.0.2" brings between@1.0.0, which needs braidwork "^8.0.0"',
        ],
        [
          '1.0.3',
          'PACKAGE_INSTALL_FAILED',
          'no version "@braidwork/plugin@^9.0.0". It is a part of Braidwork, and this is braidwork 0.1.0: the plugin may need a newer one',
        ],
      ] as const) {
        const err = await fails(['add', `pkg-shout@${version}`, '--yes'], code)
        expect(err).to.include(said).and.include('Nothing was changed.')
      }
    })

    it('of a package for a newer contract, without the folder that is gone', async () => {
      await publish({ ...SHOUT, json: { braidwork: { apiVersion: 2, plugins: [] } } })
      const err = await fails(['add', 'pkg-shout', '--yes'], 'MANIFEST_INVALID')
      expect(err)
        .to.include('"pkg-shout@1.0.0" is not a package of plugins: package.json is not valid')
        .and.include('need version 2 of the contract')
        .and.include('use a newer braidwork. Nothing was changed.')
        .and.not.include('.staging')
    })

    for (const [signal, status] of [
      ['SIGINT', 130],
      ['SIGTERM', 143],
      ['SIGHUP', 129],
    ] as const) {
      it(`of ${signal} while npm waits for the registry or for a tarball`, async () => {
        await publish(SHOUT)
        const before = await files()
        for (const only of [undefined, 'tarballs'] as const) {
          const asked = registry.hang(only)
          const waiting = command(['plugins', 'add', 'pkg-shout', '--yes'], { env })
          const kill = await stagingOf(waiting)
          await asked
          kill(signal)
          expect((await waiting).status).to.equal(status)
          expect(await files()).to.deep.equal(before)
          expect(await readdir(at('packages'))).to.deep.equal(['pkg-other'])
        }
      })
    }

    async function stagingOf(waiting: Promise<Ran>): Promise<(signal: NodeJS.Signals) => void> {
      let isOver = false
      void waiting.finally(() => {
        isOver = true
      })
      while (!isOver) {
        const [name = ''] = (await readdir(at('packages'))).filter((one) => one.startsWith('.'))
        const pid = Number(/^\.staging-(\d+)-/.exec(name)?.[1])
        if (pid > 0) return (signal) => process.kill(pid, signal)
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
      throw new Error('It ended before npm ran.')
    }

    it('of a release that cannot be loaded, with the place in its files', async () => {
      const broken = 'export const a = 1\nexport default { kind: \n'
      const plugin = { kind: 'extension', name: 'shout', entry: './lib/index.js' }
      const releases: [code: string, said: string][] = [
        [broken, 'SyntaxError: Unexpected end of input (lib/index.js:3)'],
        ["import 'gone-pkg'\n", "Cannot find package 'gone-pkg' imported from lib/index.js"],
        ['\nnull.x\n', "Cannot read properties of null (reading 'x') (lib/index.js:2)"],
        ['export const plugin = {}\n', 'it has no default export'],
        ["export default { kind: 'tool', name: 'x' }\n", 'but it is tool "x"'],
      ]
      for (const [at, [code, said]] of releases.entries()) {
        await publish({ ...SHOUT, version: `1.0.${at}`, plugin, files: { 'lib/index.js': code } })
        const err = await fails(['add', 'pkg-shout', '--yes'], 'PACKAGE_INSTALL_FAILED')
        expect(err)
          .to.include(`"pkg-shout@1.0.${at}" is broken: its plugin "shout" (lib/index.js) cannot`)
          .and.include(said)
          .and.include('Nothing was changed. To install another version')
      }
    })

    it('of a broken list of installed plugins', async () => {
      for (const content of ['{', '[]', '{"packages": {"a": {"version": 1}}}']) {
        await writeFile(at('plugins-lock.json'), content)
        const err = await fails(['list'], 'CONFIG_INVALID')
        expect(err).to.include(`"${at('plugins-lock.json')}" cannot be read`)
      }
    })
  })

  it('updates to the newest version in range, and tells what has changed', async () => {
    await publish(SHOUT)
    await add('pkg-shout')
    const newest = 'pkg-shout 1.0.0 is the newest version in the range "^1.0.0"\n'
    expect((await run('update')).out).to.equal(newest)
    await publish(
      { ...SHOUT, version: '1.1.0', plugin: { network: ['tea.example'] } },
      { ...SHOUT, version: '2.0.0' },
    )
    const { out, err, status } = await run('update', 'shout')
    expect(status).to.equal(0)
    expect(err).to.match(/^Restart servers that are running\. /m)
    expect(out).to.match(
      /^updated pkg-shout: 1\.0\.0 → 1\.1\.0\nWhat its plugins may do has changed:/,
    )
    expect(out).to.include('network: tea.example')
    expect((await run('list')).out).to.include('pkg-shout@1.1.0')
    expect((await run('update', 'gone')).err).to.include('Installed are: pkg-shout')
  })

  it('keeps the old version where the new one fails, and updates the others', async () => {
    await publish(SHOUT, { name: 'zed', plugin: { name: 'zed' } })
    await add('pkg-shout')
    await add('zed')
    await publish({ name: 'pkg-shout', version: '1.1.0' })
    await fails(['update', 'pkg-shout'], 'MANIFEST_INVALID')
    await publish({ ...SHOUT, version: '1.1.1', files: { 'index.js': 'export default {' } })
    const broken = await fails(['update', 'pkg-shout'], 'PACKAGE_INSTALL_FAILED')
    expect(broken).to.include('"pkg-shout@1.1.1" is broken')
    await publish({ name: 'zed', version: '1.2.0', plugin: { name: 'zed' } })
    const { status, out, err } = await run('update')
    expect(status).to.equal(1)
    expect(err).to.include('"pkg-shout@1.1.1" is broken')
    expect(out).to.equal('updated zed: 1.0.0 → 1.2.0\n')
    expect((await run('list')).out)
      .to.include('pkg-shout@1.0.0')
      .and.include('zed@1.2.0')
  })

  it('tells of a package, its plugins and its place', async () => {
    await publish(SHOUT)
    await add('pkg-shout')
    const place = at('packages/pkg-shout/node_modules/pkg-shout')
    for (const name of ['pkg-shout', 'shout', place]) {
      const { out, err } = await run('info', name)
      expect(err).to.equal('')
      expect(out).to.include(`pkg-shout 1.0.0\n  folder: ${place}\n  integrity: sha512-`)
      expect(out).to.include('extension "shout", on by default').and.include('A plugin is code.')
    }
    const info = JSON.parse((await run('info', 'shout', '--json')).out) as object
    expect(info).to.include({ package: 'pkg-shout', version: '1.0.0', range: '^1.0.0' })
    expect((await run('info', 'clock')).out).to.include('integrity: not recorded')
    expect((await run('info', 'gone')).err).to.match(/^error PLUGIN_UNKNOWN/)
    const json = {
      ...JSON.parse(await readFile(join(place, 'package.json'), 'utf8')),
      version: '7.0.0',
    }
    await writeFile(join(place, 'package.json'), JSON.stringify(json))
    expect((await run('info', 'shout')).err).to.include('but version 1.0.0 was installed')
  })

  it('removes a package with all that it brought', async () => {
    await publish(SHOUT)
    for (const name of ['pkg-shout', 'shout']) {
      await add('pkg-shout')
      const { status, out, err } = await run('remove', name)
      expect(err).to.match(/^Restart servers that are running\. /)
      expect([status, out]).to.deep.equal([
        0,
        `removed ${at('packages/pkg-shout/node_modules/pkg-shout')}\n`,
      ])
      expect(await readdir(at('packages'))).to.deep.equal([])
      expect((await run('list')).out).not.to.include('shout')
      expect(await readFile(at('plugins-lock.json'), 'utf8')).to.equal('{\n  "packages": {}\n}\n')
    }
  })
})
