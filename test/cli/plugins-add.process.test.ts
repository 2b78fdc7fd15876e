import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { type CommandFolder, eachCommandFolder } from '../helpers/command-folder.ts'
import { projectOf, writePythonPlugin } from '../python/python-plugins.ts'
import { sharedCommand } from './shared-command.ts'

describe('braidwork plugins add', function () {
  this.timeout(60_000)
  let folder: string
  let env: CommandFolder['env']
  let runAlone: CommandFolder['run']
  eachCommandFolder((made) => {
    ;({ folder, env, run: runAlone } = made)
  })
  const command = sharedCommand()
  const run: CommandFolder['run'] = (args, options) =>
    command(args, { cwd: folder, env, ...options })

  async function names(cwd = folder): Promise<string[]> {
    const { out } = await run(['plugins', '--json'], { cwd })
    return (JSON.parse(out) as { name: string }[]).map(({ name }) => name)
  }

  async function writeShout(path: string, name = 'shout'): Promise<void> {
    const plugin = { kind: 'extension', name, entry: './index.js' }
    const manifest = { apiVersion: 1, plugins: [plugin] }
    const json = { name: 'pkg-shout', version: '1.0.0', type: 'module', braidwork: manifest }
    await mkdir(path, { recursive: true })
    await writeFile(join(path, 'package.json'), JSON.stringify(json))
    const code = `export default {
      kind: 'extension',
      name: 'shout',
      fromNative: (_, core, { phase }) => phase === 'partials'
        ? core.map((event) => event.delta ? { ...event, delta: event.delta.toUpperCase() } : event)
        : core.map((message) => ({ ...message, parts: message.parts.map((part) => ({ ...part, text: part.text.toUpperCase() })) })),
    }\n`
    await writeFile(join(path, 'index.js'), code)
  }

  it('trusts a plugin from everywhere, until it is removed', async () => {
    await writeShout(join(folder, 'shout'))
    const elsewhere = join(folder, 'elsewhere')
    await mkdir(elsewhere)
    const added = await runAlone(['plugins', 'add', './shout'])
    expect(added).to.deep.equal({
      status: 0,
      out: `added extension "shout" from ${join(folder, 'shout')}\n`,
      err: '',
    })
    expect(await names(elsewhere)).to.include('shout')
    const answer = await runAlone(['chat', '--provider', 'scripted', 'hello'], { cwd: elsewhere })
    expect(answer.out).to.match(/^[^a-z]+$/)
    expect((await runAlone(['plugins', 'add', './shout'])).status).to.equal(0)
    expect((await runAlone(['plugins', 'remove', 'shout'])).out).to.equal(
      `removed ${join(folder, 'shout')}\n`,
    )
    expect(await names(elsewhere)).not.to.include('shout')
  })

  it('refuses a folder whose plugin has the name of another one, and names both', async () => {
    const [one, two] = [join(folder, 'one'), join(folder, 'two')]
    await writeShout(one)
    await writeShout(two)
    expect((await run(['plugins', 'add', './one'])).status).to.equal(0)
    const refused = await run(['plugins', 'add', './two'])
    expect(refused).to.include({ status: 2, out: '' })
    expect(refused.err).to.include(
      `PLUGIN_NAME_TAKEN: "${two}" has a plugin "shout", but pkg-shout in "${one}" has one of that name`,
    )
    expect((await run(['plugins', 'add', './one'])).status).to.equal(0)
  })

  it('refuses a folder whose peer range excludes this version of Braidwork', async () => {
    const one = join(folder, 'one')
    await writeShout(one)
    const path = join(one, 'package.json')
    const json = JSON.parse(await readFile(path, 'utf8'))
    for (const [peers, isRefused] of [
      [{ braidwork: '^9.0.0' }, true],
      [{ '@braidwork/core': '<0.0.1' }, true],
      [{ braidwork: '>=0.0.1', '@braidwork/core': '*' }, false],
      [{ braidwork: 7 }, false],
    ] as const) {
      await writeFile(path, JSON.stringify({ ...json, peerDependencies: peers }))
      const { status, err } = await run(['plugins', 'add', './one'])
      expect(status === 0, JSON.stringify(peers)).to.equal(!isRefused)
      if (isRefused) {
        expect(err).to.include(`error PACKAGE_MISMATCH: "${one}" needs `)
        expect(await names()).not.to.include('shout')
      }
    }
  })

  it('names the folders of two plugins of one name, and which one it removes', async () => {
    const [one, two, gone] = [join(folder, 'one'), join(folder, 'two'), join(folder, 'gone')]
    for (const path of [one, two, gone]) await writeShout(path)
    const list = join(env['XDG_CONFIG_HOME'] ?? '', 'braidwork', 'plugins.json')
    expect((await run(['plugins', 'add', './one'])).status).to.equal(0)
    const text = await readFile(list, 'utf8')
    await writeFile(list, text.replace(`"${one}"`, `"${one}", "${two}"`))
    expect((await run(['config', 'check'])).err).to.include(
      `The extension "shout" from "${two}" is off: "${one}" already has that name.`,
    )
    await writeFile(list, (await readFile(list, 'utf8')).replace('[', `["${gone}",`))
    await writeFile(join(gone, 'package.json'), '{')
    expect((await run(['plugins', 'remove', 'shout'])).out).to.equal(
      `removed ${one}\n"shout" is still added from ${two}\n`,
    )
    expect((await run(['plugins', 'remove', 'shout'])).out).to.equal(`removed ${two}\n`)
  })

  it('takes the package of the project before the same one that was added elsewhere', async () => {
    const [first, second] = [join(folder, 'first'), join(folder, 'second')]
    for (const root of [first, second]) {
      await writeShout(join(root, 'shout'))
      await writeFile(join(root, 'package.json'), '{"name": "root", "workspaces": ["shout"]}')
    }
    expect((await run(['plugins', 'add', './first/shout'])).status).to.equal(0)
    expect((await run(['trust', './second'])).status).to.equal(0)
    const here = { cwd: second }
    expect((await run(['plugins'], here)).err).to.equal('')
    const info = await run(['plugins', 'info', 'shout'], here)
    expect(info.out).to.include(`folder: ${join(second, 'shout')}`)
    const { status, err } = await run(['config', 'check'], here)
    expect(status).to.equal(0)
    expect(err).to.include(
      `info PLUGIN_NAME_TAKEN: The package "pkg-shout" is used from "${join(second, 'shout')}" here, and not from "${join(first, 'shout')}", which was added. To remove the added one from the list: braidwork plugins remove "${join(first, 'shout')}"\n`,
    )
  })

  it('is put behind the same package where the config lists it', async () => {
    const [first, second] = [join(folder, 'first'), join(folder, 'second')]
    await writeShout(first)
    await writeShout(second)
    await writeFile(join(folder, 'c.json'), '{"plugins": ["./second"], "provider": "scripted"}')
    expect((await run(['plugins', 'add', './first'])).status).to.equal(0)
    const chat = await run(['chat', '--config', 'c.json', 'hello'])
    expect([chat.status, chat.err]).to.deep.equal([0, ''])
    const { err } = await run(['config', 'check', '--config', 'c.json'])
    expect(err).to.include(
      `info PLUGIN_NAME_TAKEN: The package "pkg-shout" is used from "${second}"`,
    )
  })

  it('warns of a build that is older than its source, wherever the plugin is used', async () => {
    await writeShout(join(folder, 'shout', 'dist'))
    const json = await readFile(join(folder, 'shout', 'dist', 'package.json'), 'utf8')
    await writeFile(join(folder, 'shout', 'package.json'), json.replace('./index', './dist/index'))
    await writeFile(join(folder, 'shout', 'index.ts'), '')
    const old = new Date(Date.now() - 60_000)
    for (const name of await readdir(join(folder, 'shout', 'dist')))
      await utimes(join(folder, 'shout', 'dist', name), old, old)
    const chat = ['chat', '--provider', 'scripted', 'hello']
    for (const args of [
      ['plugins', 'add', './shout'],
      ['plugins', 'info', 'shout'],
      ['doctor'],
      chat,
    ])
      expect((await run(args)).err, args.join(' ')).to.match(
        /^warning BUILD_OLD: "index\.ts" of plugin "shout" is newer than its build in "dist".* && npx tsc$/m,
      )
    await utimes(join(folder, 'shout', 'index.ts'), old, old)
    expect((await run(chat)).err).to.equal('')
  })

  it('keeps what several processes add and remove at once', async () => {
    const numbers = [...Array(8).keys()]
    for (const number of numbers)
      await writeShout(join(folder, `shout-${number}`), `shout-${number}`)
    const add = (number: number) => runAlone(['plugins', 'add', `./shout-${number}`])
    const remove = (number: number) =>
      runAlone(['plugins', 'remove', join(folder, `shout-${number}`)])
    const added = await Promise.all(numbers.map(add))
    expect(added.map(({ err }) => err)).to.deep.equal(numbers.map(() => ''))
    const file = join(folder, 'config', 'braidwork', 'plugins.json')
    const folders = async () =>
      (JSON.parse(await readFile(file, 'utf8')) as { plugins: string[] }).plugins
    expect(await folders()).to.have.members(numbers.map((one) => join(folder, `shout-${one}`)))
    await Promise.all(numbers.slice(1).map(remove))
    expect(await folders()).to.deep.equal([join(folder, 'shout-0')])
    expect(await readdir(join(folder, 'config', 'braidwork'))).to.deep.equal(['plugins.json'])
  })

  it('takes the name of an installed package, and installs none', async () => {
    await writeShout(join(folder, 'node_modules', 'pkg-shout'))
    await writeFile(join(folder, 'package.json'), '{"dependencies": {"pkg-shout": "*"}}')
    expect((await run(['plugins'])).err).to.include('add them with "braidwork plugins add"')
    expect((await run(['plugins', 'add', 'pkg-shout'])).status).to.equal(0)
    expect((await run(['plugins'])).err).to.equal('')
    expect(await names(tmpdir())).to.include('shout')
    expect(existsSync(join(folder, 'config', 'braidwork', 'packages'))).to.equal(false)
  })

  it('trusts a package by its place in node_modules, whichever version a link there leads to', async () => {
    const modules = join(folder, 'node_modules')
    const store = (version: string) => join(modules, '.store', version, 'node_modules', 'pkg-shout')
    const link = join(modules, 'pkg-shout')
    const version = async () => {
      const { out } = await run(['plugins', 'list'], { cwd: tmpdir() })
      return /pkg-shout@([\d.]+)/.exec(out)?.[1]
    }
    await writeShout(store('1.0.0'))
    await writeShout(store('2.0.0'))
    const path = join(store('2.0.0'), 'package.json')
    await writeFile(path, (await readFile(path, 'utf8')).replace('1.0.0', '2.0.0'))
    await symlink(store('1.0.0'), link)
    const added = `added extension "shout" from ${link}\n`
    for (const reference of ['pkg-shout', './node_modules/pkg-shout', store('1.0.0'), 'shout'])
      expect((await run(['plugins', 'add', reference])).status, reference).to.equal(0)
    expect((await run(['plugins', 'add', 'pkg-shout'])).out).to.equal(added)
    const list = join(env['XDG_CONFIG_HOME'] ?? '', 'braidwork', 'plugins.json')
    const recorded = async () => JSON.parse(await readFile(list, 'utf8')) as object
    expect(await recorded()).to.deep.equal({ plugins: [link] })
    expect(await version()).to.equal('1.0.0')
    await rm(link)
    await symlink(store('2.0.0'), link)
    expect(await version()).to.equal('2.0.0')
    expect((await run(['plugins', 'add', 'pkg-shout'])).out).to.equal(added)
    expect(await recorded()).to.deep.equal({ plugins: [link] })
    await rm(join(modules, '.store'), { recursive: true })
    expect((await run(['plugins'])).err).to.include(
      `The plugin added from "${link}" no longer exists. Install it there again`,
    )
    expect((await run(['plugins', 'remove', 'pkg-shout'])).out).to.equal(`removed ${link}\n`)
    expect(await recorded()).to.deep.equal({ plugins: [] })
  })

  it('says of what is no plugin what is missing', async () => {
    expect((await run(['plugins', 'add', './gone'])).err).to.include(
      `There is no folder "${join(folder, 'gone')}"`,
    )
    const bare = await run(['plugins', 'add', '.'])
    expect(bare.status).to.equal(1)
    expect(bare.err).to.include('has no package.json with plugins under "braidwork"')
    expect(bare.err, 'a page that the package has').to.include(
      '; docs/packages.md in the package braidwork',
    )
    const wrong = join(folder, 'wrong')
    await mkdir(wrong)
    await writeFile(
      join(wrong, 'pyproject.toml'),
      '[tool.braidwork]\napi-version = 1\nplugins = ["plugin.py"]\n',
    )
    expect((await run(['plugins', 'add', './wrong'])).err).to.include(
      `pyproject.toml of "${wrong}" is not valid at /tool/braidwork/plugins/0: a plugin must be an object`,
    )
    expect((await run(['plugins', 'remove', 'shout'])).err).to.include(
      '"shout" is not among the added plugins: none.',
    )
  })

  it('says which added plugin is gone, and forgets it', async () => {
    await writeShout(join(folder, 'shout'))
    await run(['plugins', 'add', './shout'])
    await rename(join(folder, 'shout'), join(folder, 'moved'))
    const { err } = await run(['plugins'])
    expect(err).to.include(
      `The plugin added from "${join(folder, 'shout')}" no longer exists. Install it there again, or add it from its new place with "braidwork plugins add". To remove it from the list: braidwork plugins remove "${join(folder, 'shout')}"`,
    )
    expect((await run(['plugins', 'remove', join(folder, 'shout')])).status).to.equal(0)
    expect((await run(['plugins'])).err).to.equal('')
  })

  it('says that its list is broken', async () => {
    const file = join(folder, 'config', 'braidwork', 'plugins.json')
    await mkdir(join(file, '..'), { recursive: true })
    for (const content of ['{', '[]', '{"plugins": ["relative"]}', '{"plugins": [1]}']) {
      await writeFile(file, content)
      const { status, err } = await run(['plugins'])
      expect(status).to.equal(2)
      expect(err).to.include(`The list of added plugins "${file}" cannot be read`)
    }
  })

  describe('with a Python plugin', () => {
    it('adds nothing where there is no Python, and says what to install', async () => {
      await writePythonPlugin(join(folder, 'words'), projectOf([]))
      const bare = { env: { ...env, PYTHON_BIN: '/nowhere/python3' } }
      const { status, err } = await run(['plugins', 'add', './words'], bare)
      expect(status).to.equal(1)
      expect(err).to.include('PYTHON_MISSING').and.include('Install Python 3.9 or newer')
      expect(existsSync(join(folder, 'config'))).to.equal(false)
    })
  })
})
