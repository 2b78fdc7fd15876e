import { existsSync } from 'node:fs'
import {
  appendFile,
  cp,
  mkdir,
  mkdtemp,
  realpath,
  rename,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect } from 'chai'
import { installInto } from '../helpers/installation.ts'
import { braidwork, type Ran } from './command.ts'

/** A module that says that it ran. */
function marking(name: string): string {
  return `process.stderr.write('${name} ran\\n'); export default { kind: 'extension', name: '${name}' }\n`
}

function manifestOf(name: string): object {
  const plugins = [{ kind: 'extension', name, entry: './index.mjs' }]
  return { name: `pkg-${name}`, version: '1.0.0', braidwork: { apiVersion: 1, plugins } }
}

describe('trust in a folder', function () {
  this.timeout(60_000)
  let base: string
  let installed: string
  let folder: string
  before(async () => {
    installed = await mkdtemp(join(tmpdir(), 'braidwork-'))
    await installInto(installed)
  })
  after(() => rm(installed, { recursive: true }))
  beforeEach(async () => {
    base = await realpath(await mkdtemp(join(tmpdir(), 'braidwork-')))
    folder = join(base, 'project')
    await cp(installed, folder, { recursive: true, verbatimSymlinks: true })
  })
  afterEach(() => rm(base, { recursive: true, force: true }))

  const at = (...path: string[]): string => join(folder, ...path)

  async function write(path: string, content: unknown): Promise<void> {
    await mkdir(dirname(at(path)), { recursive: true })
    await writeFile(at(path), typeof content === 'string' ? content : JSON.stringify(content))
  }

  /** The command that is installed in the folder. */
  function run(args: readonly string[], cwd = folder): Promise<Ran> {
    const command = at('node_modules/braidwork/dist/command/braidwork.js')
    return braidwork(args, { cwd, command, env: { XDG_CONFIG_HOME: join(base, 'xdg') } })
  }

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

  describe('that installs braidwork', () => {
    beforeEach(async () => {
      await write('plugins/mark.mjs', `import './lib/part.mjs'\n${marking('mark')}`)
      await write('plugins/lib/part.mjs', `export { x } from "../x.mjs"\n`)
      await write('plugins/x.mjs', 'export const x = 1\n')
      await write('base.json', { seed: 7 })
      await write('braidwork.json', { extends: './base.json', plugins: ['./plugins/mark.mjs'] })
      expect((await run(['config', 'show'])).err).to.equal('mark ran\n')
    })

    const CHANGES = [
      'braidwork.json',
      'base.json',
      'plugins/mark.mjs',
      'plugins/lib/part.mjs',
      'plugins/x.mjs',
    ]
    for (const path of CHANGES) {
      it(`asks again when ${path} changed, which it names, and takes it by one command`, async () => {
        await appendFile(at(path), '\n')
        for (const args of [['config', 'show'], ['tools'], ['settings']]) {
          const { status, err } = await run(args)
          expect(status).to.equal(0)
          expect(err).not.to.include('mark ran')
          expect(err).to.include(path === 'braidwork.json' ? 'it changed' : `"${at(path)}" changed`)
          expect(err).to.include('accept it with "braidwork trust --update"')
        }
        // Going on without it would be another answer than was meant, and another server.
        for (const args of [
          ['chat', 'hi'],
          ['serve', '--port', '0'],
        ]) {
          const { status, out, err } = await run(args)
          expect([status, out]).to.deep.equal([2, ''])
          expect(err).to.include('CONFIG_INVALID').and.include('braidwork trust --update')
        }
        expect((await run(['config', 'check'])).status).to.equal(2)
        expect((await run(['trust', '--update'])).out).to.equal(
          `trusted, as it is now:\n  ${at(path)}\n`,
        )
        expect((await run(['config', 'show'])).err).to.equal('mark ran\n')
        expect((await run(['trust', '--update'])).out).to.equal(
          'nothing changed since it was trusted\n',
        )
      })
    }

    it('names the folder in that command where it runs elsewhere', async () => {
      await appendFile(at('base.json'), '\n')
      await mkdir(at('deep'))
      const { err } = await run(['config', 'show'], at('deep'))
      expect(err).to.include(`braidwork trust --update ${folder}`)
    })

    it('asks when a second config, or a module of a new name, comes to stand beside', async () => {
      await write('braidwork.jsonc', { plugins: ['./evil.mjs'] })
      await write('evil.mjs', marking('evil'))
      expect((await run(['config', 'show'])).err).to.include(`"${at('braidwork.jsonc')}" is new`)
    })

    it('is out of reach of a model that writes files: nothing that runs next is written', async () => {
      const paths = [
        'braidwork.json',
        'braidwork.jsonc',
        'package.json',
        'base.json',
        'plugins/mark.mjs',
        'plugins/x.mjs',
        'added/index.mjs',
        '.mocharc.cjs',
        'downloads/braidwork.json',
      ]
      await write('added/package.json', manifestOf('added'))
      await write('added/index.mjs', marking('added'))
      await run(['plugins', 'add', './added'])
      const calls = [...paths, 'notes.txt'].map((path) => ({
        name: 'write_file',
        input: { path, content: 'process.stderr.write("evil ran")' },
      }))
      const script = [
        { when: { tool: 'write_file' }, then: { text: 'done' } },
        { then: { tool_calls: calls } },
      ]
      await write('braidwork.json', {
        extends: './base.json',
        plugins: ['./plugins/mark.mjs', '@braidwork/tool-files'],
        enabled_plugins: ['files'],
        settings: { files: { root: folder, write: true }, scripted: { script, delay_ms: 0 } },
      })
      await run(['trust', '--update'])
      const { err } = await run(['chat', 'write'])
      expect(err.match(/✗ write_file: .*programs obey or execute/g)).to.have.length(paths.length)
      expect(err).to.include('← write_file: {"path":"notes.txt"')
      const checked = await run(['config', 'check'])
      expect(checked.err).not.to.include('evil ran').and.not.include('FOLDER_UNTRUSTED')
      expect(checked.status).to.equal(0)
    })

    it('is taken back, and stays so until it is given again', async () => {
      expect((await run(['trust', '--revoke'])).out).to.include('no longer trusted')
      const { err } = await run(['config', 'show'])
      expect(err).to.include('not trusted yet').and.not.include('mark ran')
      expect((await run(['trust', '--update'])).status).to.equal(2)
      await run(['trust'])
      expect((await run(['config', 'show'])).err).to.equal('mark ran\n')
    })
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

  it('leaves out a package that came since, and asks when a module of its own changed', async () => {
    await write('package.json', {
      dependencies: { braidwork: '*', 'pkg-late': '*' },
      workspaces: ['own/*'],
    })
    await write('own/early/package.json', manifestOf('early'))
    await write('own/early/index.mjs', marking('early'))
    expect((await run(['config', 'show'])).err).to.equal('early ran\n')
    await write('node_modules/pkg-late/package.json', manifestOf('late'))
    await write('node_modules/pkg-late/index.mjs', marking('late'))
    const { err } = await run(['config', 'show'])
    expect(err).to.include(`"${at('node_modules/pkg-late')}" is new since`)
    expect(err).to.include('early ran').and.not.include('late ran')
    await run(['trust', '--update'])
    expect((await run(['config', 'show'])).err)
      .to.include('early ran')
      .and.include('late ran')
    await appendFile(at('own/early/index.mjs'), '//\n')
    const changed = await run(['config', 'show'])
    expect(changed.err).to.include(`"${at('own/early/index.mjs')}" changed`)
    expect(changed.err).not.to.include('ran')
    // What npm brought may change as npm changes it.
    await run(['trust', '--update'])
    await appendFile(at('node_modules/pkg-late/index.mjs'), '//\n')
    expect((await run(['config', 'show'])).err).to.include('late ran')
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
