import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { expect } from 'chai'
import { type CommandFolder, eachCommandFolder } from '../helpers/command-folder.ts'
import { pythonOf } from '../helpers/python.ts'
import { ROOT } from '../helpers/source-files.ts'
import { hasTerminal, Terminal } from '../helpers/terminal.ts'

describe('braidwork new', function () {
  this.timeout(60_000)
  let folder: string
  let env: CommandFolder['env']
  let run: CommandFolder['run']
  eachCommandFolder((made) => {
    ;({ folder, env, run } = made)
  })

  async function refuses(args: readonly string[], code: string, more: NodeJS.ProcessEnv = {}) {
    const before = await readdir(folder)
    const { status, out, err } = await run(['new', ...args], { env: { ...env, ...more } })
    expect(err).to.match(new RegExp(`^error ${code}: `))
    expect(out).to.equal('')
    expect(status).to.be.oneOf([1, 2])
    expect(await readdir(folder)).to.deep.equal(before)
    return err
  }

  /** A PATH on which there is nothing but Node. */
  async function barePath(): Promise<string> {
    const bin = join(folder, 'bin')
    await mkdir(bin)
    await symlink(process.execPath, join(bin, 'node'))
    return bin
  }

  it('tests a plugin in Python with the kit that npm put above its package', async function () {
    const python = await pythonOf(this)
    const packages = join(folder, 'packages')
    await mkdir(packages)
    await run(['new', 'extension', 'tea', '--language', 'python'], { cwd: packages })
    const kit = join(folder, 'node_modules', '@braidwork')
    await mkdir(kit, { recursive: true })
    await symlink(join(ROOT, 'src', 'python'), join(kit, 'python'))
    const commands = join(folder, 'node_modules', '.bin')
    await mkdir(commands)
    await symlink(
      join(kit, 'python', 'bin', 'braidwork-python.js'),
      join(commands, 'braidwork-python'),
    )
    const bin = join(folder, 'python-bin')
    await mkdir(bin)
    await symlink(python.executable, join(bin, 'python3'))
    const ran = spawnSync('npm', ['run', 'test:python'], {
      cwd: join(packages, 'tea'),
      env: { ...process.env, PATH: [bin, process.env['PATH']].join(delimiter) },
      encoding: 'utf8',
    })
    expect(ran.stderr).to.match(/Ran [1-9]\d* tests? in [\s\S]*\nOK\n/)
  })

  it('writes a package into a folder, lists its files and says what comes next', async () => {
    const { status, out, err } = await run(['new', 'tool', 'tea'])
    expect([status, err]).to.deep.equal([0, ''])
    const paths = ['.github/workflows/ci.yml', '.gitignore', 'README.md', 'package.json']
    const sources = ['src/counts.ts', 'src/index.test.ts', 'src/index.ts', 'tsconfig.json']
    const list = [...paths, ...sources].map((path) => `  ${path}\n`).join('')
    expect(out).to.equal(
      `wrote tool "tea" to ${join(folder, 'tea')}\n${list}next: cd tea && npm install && npm test\n`,
    )
    expect((await readdir(folder)).filter((name) => name !== 'config')).to.deep.equal(['tea'])
  })

  it('fills an empty folder, and leaves another one as it is', async () => {
    await mkdir(join(folder, 'tea'))
    expect((await run(['new', 'tool', 'tea'])).status).to.equal(0)
    const before = await readdir(join(folder, 'tea'))
    const err = await refuses(['feature', 'tea'], 'FOLDER_UNUSABLE')
    expect(err).to.include(`"${join(folder, 'tea')}": it is not empty`)
    expect(await readdir(join(folder, 'tea'))).to.deep.equal(before)
    await writeFile(join(folder, 'cup'), '')
    expect(await refuses(['tool', 'cup'], 'FOLDER_UNUSABLE')).to.include('it is not a folder')
  })

  it('writes nothing where nothing can be written', async function () {
    if (process.getuid?.() === 0) return this.skip()
    const closed = join(folder, 'closed')
    await mkdir(closed)
    await chmod(closed, 0o555)
    const { err } = await run(['new', 'tool', 'tea'], { cwd: closed })
    expect(err).to.match(/^error FOLDER_UNUSABLE: .*EACCES/)
  })

  it('takes no name that is taken, invalid or a path, and no kind that there is not', async () => {
    await refuses(['tool', 'clock'], 'PLUGIN_NAME_TAKEN')
    await refuses(['tool', 'Tea'], 'OPTION_INVALID')
    await refuses(['tool', '../tea'], 'OPTION_INVALID')
    await refuses(['toll', 'tea'], 'OPTION_INVALID')
    await refuses(['tool', 'tea', '--language', 'perl'], 'OPTION_INVALID')
    await refuses(['tool'], 'OPTION_INVALID')
  })

  it('takes no name of a plugin that is found from here', async () => {
    await run(['new', 'tool', 'tea', '--language', 'python'])
    await run(['plugins', 'add', './tea'])
    expect(await refuses(['extension', 'tea'], 'PLUGIN_NAME_TAKEN')).to.include('"tea"')
  })

  it('says that npm or Python is missing', async () => {
    const PATH = await barePath()
    await refuses(['tool', 'tea'], 'NPM_MISSING', { PATH })
    const none = { PYTHON_BIN: '/nowhere/python3' }
    await refuses(['tool', 'tea', '--language', 'python'], 'PYTHON_MISSING', none)
    expect((await run(['new', 'tool', 'tea'], { env: { ...env, ...none } })).status).to.equal(0)
  })

  it('requires the tags that a provider has with the config of this folder', async () => {
    const config = JSON.stringify({ model: 'scripted-mini' })
    await writeFile(join(folder, 'braidwork.json'), config)
    await run(['trust'])
    const { err } = await run(['new', 'feature', 'tea', '--for', 'scripted'])
    expect(err).to.equal('')
    const code = await readFile(join(folder, 'tea/src/index.ts'), 'utf8')
    const tags = "'scripted-format', 'streaming', 'structured-output', 'text'"
    expect(code).to.include(`requiredTags: [${tags}]`)
    const readme = await readFile(join(folder, 'tea/README.md'), 'utf8')
    expect(readme).to.include('the provider "scripted"')
    const unknown = await refuses(['feature', 'cup', '--for', 'scriptd'], 'PROVIDER_UNKNOWN')
    expect(unknown).to.include('Did you mean "scripted"?')
    await refuses(['tool', 'cup', '--for', 'scripted'], 'OPTION_INVALID')
  })

  describe('on a terminal', () => {
    before(function () {
      if (hasTerminal()) return
      process.stderr.write('"braidwork new" in a terminal is skipped: no Python with a pty\n')
      this.skip()
    })

    it('asks, and shows the files before it writes them', async () => {
      const terminal = new Terminal(['new'], { cwd: folder, env })
      await terminal.choose('What kind of plugin?', 'feature')
      await terminal.choose('In which language?', 'Python')
      await terminal.answer('What is its name?', 'clock')
      await terminal.sees('There is already a plugin "clock"')
      terminal.type('\u0015tea\r')
      await terminal.sees('braidwork_tea/plugin.py')
      expect(existsSync(join(folder, 'tea'))).to.equal(false)
      await terminal.choose('Write these files?', 'Yes')
      await terminal.sees('Wrote feature "tea"')
      expect((await terminal.ends()).status).to.equal(0)
      expect(existsSync(join(folder, 'tea/braidwork_tea/plugin.py'))).to.equal(true)
    })

    it('writes nothing after "No" or Ctrl-C', async () => {
      const terminal = new Terminal(['new', 'tool'], { cwd: folder, env })
      await terminal.choose('In which language?', 'TypeScript')
      await terminal.answer('What is its name?', 'tea')
      await terminal.choose('Write these files?', 'No')
      await terminal.sees('Nothing was written.')
      expect((await terminal.ends()).status).to.equal(0)
      const left = new Terminal(['new'], { cwd: folder, env })
      await left.sees('What kind of plugin?')
      left.type('\u0003')
      expect((await left.ends()).status).to.equal(130)
      expect(existsSync(join(folder, 'tea'))).to.equal(false)
    })
  })
})
