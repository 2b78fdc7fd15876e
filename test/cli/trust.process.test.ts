import { existsSync } from 'node:fs'
import { cp, mkdir, rename, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { braidwork } from './command.ts'
import {
  eachInstalledFolder,
  type InstalledFolder,
  manifestOf,
  marking,
} from './installed-folder.ts'

describe('trust in a folder', function () {
  this.timeout(60_000)
  let base: string
  let folder: string
  let at: InstalledFolder['at']
  let write: InstalledFolder['write']
  let run: InstalledFolder['run']
  eachInstalledFolder((made) => {
    ;({ base, folder, at, write, run } = made)
  })

  const DOORS = [
    ['config', 'show'],
    ['config', 'check'],
    ['config', 'schema'],
    ['chat', 'hi'],
    ['explain'],
    ['plugins'],
    ['settings'],
    ['models'],
    ['doctor'],
    ['tools'],
  ]

  it('is there at once where its own package.json installs the braidwork that runs', async () => {
    await write('mark.mjs', marking('mark'))
    await write('braidwork.json', { plugins: ['./mark.mjs'], seed: 7 })
    const { out, err } = await run(['config', 'show'])
    expect(JSON.parse(out)).to.include({ seed: 7 })
    expect(err).to.equal('mark ran\n')
    await mkdir(at('deep'))
    expect(JSON.parse((await run(['config', 'show'], at('deep'))).out)).to.include({ seed: 7 })
  })

  it('ends there: no command runs what a config of a folder below it names', async () => {
    await write('downloads/evil.mjs', marking('evil'))
    await write('downloads/braidwork.json', { plugins: ['./evil.mjs'], seed: 6 })
    for (const args of DOORS) {
      const { out, err } = await run(args, at('downloads'))
      expect(out + err, args.join(' ')).not.to.include('evil ran')
    }
    const { status, out, err } = await run(['config', 'show'], at('downloads'))
    expect([status, out]).to.deep.equal([0, '{}\n'])
    expect(err).to.include(`"${at('downloads/braidwork.json')}" is not used`)
    expect(err).to.include('run "braidwork trust", or name it with --config')
    await run(['trust'], at('downloads'))
    expect((await run(['config', 'show'], at('downloads'))).err).to.equal('evil ran\n')
  })

  it('is not to be had by a package.json, a link or a copy of the folder within it', async () => {
    const host = at('node_modules/braidwork')
    const json = { dependencies: { braidwork: '*', 'pkg-evil': '*' }, workspaces: ['own/*'] }
    for (const name of ['linked', 'modules', 'workspaces/sub']) {
      await write(`${name}/package.json`, json)
      await write(`${name}/evil.mjs`, marking('evil'))
      await write(`${name}/braidwork.json`, { plugins: ['./evil.mjs'] })
      await write(`${name}/node_modules/pkg-evil/package.json`, manifestOf('evil'))
      await write(`${name}/node_modules/pkg-evil/index.mjs`, marking('evil'))
      await write(`${name}/own/evil/package.json`, manifestOf('evil'))
      await write(`${name}/own/evil/index.mjs`, marking('evil'))
    }
    await symlink(host, at('linked/node_modules/braidwork'))
    await symlink(at('node_modules'), at('modules/node_modules/node_modules'))
    for (const name of ['linked', 'modules', 'workspaces/sub']) {
      const { err } = await run(['config', 'check'], at(name))
      expect(err, name).to.include('FOLDER_UNTRUSTED').and.not.include('evil ran')
    }
  })

  it('needs the folder to ask for braidwork in its own package.json', async () => {
    await write('package.json', { dependencies: {} })
    await write('braidwork.json', { seed: 7 })
    expect((await run(['config', 'show'])).out).to.equal('{}\n')
  })

  it('is not left by what nobody trusts below it: its own config goes on counting there', async () => {
    await write('braidwork.json', { seed: 7 })
    await write('downloads/braidwork.json', { seed: 6, model: 'x' })
    await write('downloads/braidwork.jsonc', '{')
    await write('downloads/package.json', '{')
    const { status, out, err } = await run(['config', 'show'], at('downloads'))
    expect(status).to.equal(0)
    expect(JSON.parse(out)).to.deep.equal({ seed: 7 })
    expect(err).to.include(`"${at('downloads/braidwork.json')}" is not used`)
  })

  it('does not go along to another place', async () => {
    await write('mark.mjs', marking('mark'))
    await write('braidwork.json', { plugins: ['./mark.mjs'] })
    await run(['config', 'show'])
    const command = at('node_modules/braidwork/dist/command/braidwork.js')
    const options = { command, env: { XDG_CONFIG_HOME: join(base, 'xdg') } }
    const copy = join(base, 'copy')
    await cp(folder, copy, { recursive: true, verbatimSymlinks: true })
    const { err } = await braidwork(['config', 'show'], { ...options, cwd: copy })
    expect(err).to.include('not trusted yet').and.not.include('mark ran')
    // What takes its place has its own content, whatever the place's name.
    await rename(folder, join(base, 'moved'))
    await rename(copy, folder)
    await write('mark.mjs', `${marking('mark')}// other\n`)
    expect((await run(['config', 'show'])).err).to.include(`"${at('mark.mjs')}" changed`)
  })

  it('does not count a config that came after its first look, until it is taken', async () => {
    expect((await run(['plugins'])).err).to.equal('')
    await write('evil.mjs', marking('evil'))
    await write('braidwork.json', { plugins: ['./evil.mjs'] })
    const { err } = await run(['config', 'check'])
    expect(err).to.include('it is new since its folder was trusted').and.not.include('evil ran')
    await run(['trust', '--update'])
    expect((await run(['config', 'check'])).err).to.include('evil ran')
  })

  it('goes with what init writes', async () => {
    await run(['plugins'])
    await run(['init'])
    const { err, out } = await run(['config', 'check'])
    expect([err, out]).to.deep.equal(['', '0 errors, 0 warnings\n'])
  })

  it('is not given to what init finds beside what it writes', async () => {
    const place = join(base, 'cloned')
    await mkdir(join(place, 'node_modules/pkg-evil'), { recursive: true })
    await writeFile(join(place, 'package.json'), '{"dependencies": {"pkg-evil": "*"}}')
    const own = join(place, 'node_modules/pkg-evil')
    await writeFile(join(own, 'package.json'), JSON.stringify(manifestOf('evil')))
    await writeFile(join(own, 'index.mjs'), marking('evil'))
    await run(['init'], place)
    const { err } = await run(['config', 'check'], place)
    expect(err).to.include('Plugins of').and.not.include('evil ran')
  })

  it('is about the modules of a Python plugin, and about one that would be imported in its place', async () => {
    await write(
      'shout/pyproject.toml',
      '[tool.braidwork]\napi-version = 1\n[[tool.braidwork.plugins]]\nkind = "extension"\nname = "shout"\nentry = "plugin.py"\n',
    )
    await write(
      'shout/plugin.py',
      'import json\nfrom words import WORDS\nclass Shout:\n    kind = "extension"\n    name = "shout"\nplugin = Shout()\n',
    )
    await write('shout/words.py', 'WORDS = []\n')
    await write('braidwork.json', { plugins: ['./shout'] })
    expect((await run(['plugins'])).err).to.equal('')
    for (const [name, how] of [
      ['words.py', 'changed'],
      ['json.py', 'is new'],
    ] as const) {
      await write(`shout/${name}`, 'raise SystemExit\n')
      const { err } = await run(['config', 'show'])
      expect(err).to.include(`"${at('shout', name)}" ${how}`)
      await run(['trust', '--update'])
    }
  })

  it('lets no package of the working directory take the place of a plugin that is named elsewhere', async () => {
    await mkdir(join(base, 'xdg/braidwork'), { recursive: true })
    const user = { plugins: ['scripted', 'pkg-evil'] }
    await writeFile(join(base, 'xdg/braidwork/braidwork.json'), JSON.stringify(user))
    for (const name of ['scripted', 'pkg-evil']) {
      await write(`downloads/node_modules/${name}/package.json`, manifestOf('evil'))
      await write(`downloads/node_modules/${name}/index.mjs`, marking('evil'))
    }
    await write('downloads/json.py', `open(${JSON.stringify(at('ran'))}, 'w')\n`)
    const { err } = await run(['config', 'check'], at('downloads'))
    expect(err).to.include('"pkg-evil" could not be loaded').and.not.include('evil ran')
    expect(existsSync(at('ran'))).to.equal(false)
  })
})
