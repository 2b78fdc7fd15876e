import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { packWorkspaces } from '../../scripts/pack.ts'
import { LANGUAGES } from '../../src/cli/new/wanted.ts'
import { KINDS } from '../../src/plugin/index.ts'
import { ofCommit } from '../helpers/cases.ts'
import { type NpmRegistry, npmRegistry } from '../helpers/npm-registry.ts'
import { makeWheel, pythonHere } from '../python/python-plugins.ts'
import { braidwork } from './command.ts'

const run = promisify(execFile)

async function replaceIn(file: string, text: string, other: string): Promise<void> {
  const before = await readFile(file, 'utf8')
  expect(before).to.include(text)
  await writeFile(file, before.replace(text, other))
}

describe('a package of "braidwork new"', function () {
  this.timeout(180_000)
  let folder: string
  let registry: NpmRegistry
  let env: NodeJS.ProcessEnv

  before(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), 'braidwork-')))
    const { stdout } = await run('npm', ['config', 'get', 'registry'])
    registry = await npmRegistry(stdout.trim())
    await mkdir(join(folder, 'packs'))
    const packed = await packWorkspaces(['src/testing', 'src/python'], join(folder, 'packs'))
    await registry.publish(...packed)
    env = {
      ...process.env,
      NODE_OPTIONS: '',
      npm_config_registry: registry.address,
      npm_config_audit: 'false',
      npm_config_fund: 'false',
      npm_config_prefer_offline: 'true',
      XDG_CONFIG_HOME: join(folder, 'config'),
      XDG_DATA_HOME: join(folder, 'data'),
    }
  })
  after(async () => {
    await registry?.close()
    await rm(folder, { recursive: true, force: true })
  })

  async function writeNew(...args: readonly string[]): Promise<string> {
    const { err, status } = await braidwork(['new', ...args], { cwd: folder, env })
    expect([status, err]).to.deep.equal([0, ''])
    const made = join(folder, args[1] ?? '')
    await run('npm', ['install'], { cwd: made, env })
    return made
  }

  for (const language of LANGUAGES) {
    for (const kind of ofCommit(KINDS, 1, language)) {
      it(`passes its tests, is published and is added: ${kind} in ${language}`, async function () {
        if (language === 'python' && !(await pythonHere())) return this.skip()
        const name = `new-${kind}-${language}`
        const made = await writeNew(kind, name, '--language', language)
        const { stdout } = await run('npm', ['test'], { cwd: made, env })
        expect(stdout)
          .to.match(/^# pass (9|\d{2,3})$/m)
          .and.match(/^# fail 0$/m)
        const published = await run('npm', ['publish', '--dry-run'], { cwd: made, env })
        expect(published.stdout).to.include(`+ braidwork-${name}@0.1.0`)
        expect(published.stderr).not.to.match(/\.test\.|tests\/|npm warn publish errors/)
        const added = await braidwork(['plugins', 'add', `./${name}`], { cwd: folder, env })
        expect(added.out).to.include(`added ${kind} "${name}"`)
        const { out } = await braidwork(['plugins'], { cwd: folder, env })
        expect(out).to.include(`braidwork-${name}@0.1.0`)
      })
    }
  }

  it('is built by npm where it is installed from a git repository', async () => {
    const { status, err } = await braidwork(['new', 'tool', 'in-git'], { cwd: folder, env })
    expect([status, err]).to.deep.equal([0, ''])
    const git = (...args: readonly string[]) =>
      run('git', ['-c', 'user.name=me', '-c', 'user.email=me@x.example', ...args], {
        cwd: join(folder, 'in-git'),
      })
    await git('init', '--quiet')
    await git('add', '--all')
    await git('commit', '--quiet', '--message=first')
    const user = join(folder, 'of-a-user')
    await mkdir(user)
    const address = `git+file://${join(folder, 'in-git')}`
    const advised = await braidwork(['plugins', 'add', address], { cwd: user, env })
    expect(advised.err).to.include(`npm install "${address}"`)
    await run('npm', ['install', address], { cwd: user, env })
    const added = await braidwork(['plugins', 'add', 'braidwork-in-git'], { cwd: user, env })
    expect(added.err).to.equal('')
    expect(added.out).to.include('added tool "in-git"')
  })

  it('is built once to be packed, and by its own installation', async () => {
    const made = await writeNew('tool', 'built-once')
    expect(await readdir(join(made, 'dist'))).to.include('index.js')
    await rm(join(made, 'dist'), { recursive: true })
    const { stdout, stderr } = await run('npm', ['pack'], { cwd: made, env })
    expect(stderr).to.include('dist/index.js')
    expect(`${stdout}${stderr}`.match(/^> tsc$/gm)).to.deep.equal(['> tsc'])
  })

  it('passes its tests with the tags of a provider', async () => {
    const made = await writeNew('extension', 'for-scripted', '--for', 'scripted')
    const { stdout } = await run('npm', ['test'], { cwd: made, env })
    expect(stdout).to.match(/^# fail 0$/m)
  })

  it('runs its tests in Python with the packages that it needs', async function () {
    const python = (await pythonHere()) ?? this.skip()
    const made = await writeNew('tool', 'with-needs', '--language', 'python')
    const wheel = await makeWheel(python, join(folder, 'wheels'), 'word_one')
    await replaceIn(
      join(made, 'pyproject.toml'),
      'dependencies = []',
      `dependencies = ["${wheel}"]`,
    )
    const module = join(made, 'braidwork_with_needs', 'plugin.py')
    await writeFile(module, `${await readFile(module, 'utf8')}\nfrom word_one import WORD\n`)
    const added = await braidwork(['plugins', 'add', '.'], { cwd: made, env })
    expect(added.status, added.err).to.equal(0)
    const { stdout, stderr } = await run('npm', ['test'], { cwd: made, env })
    expect(stdout).to.match(/^# fail 0$/m)
    expect(stderr).to.match(/^Ran \d+ tests? in .*\n\nOK$/m)
  })

  it('builds a wheel with its entry point', async function () {
    const python = (await pythonHere()) ?? this.skip()
    const made = await writeNew('tool', 'in-a-wheel', '--language', 'python')
    const wheel = ['-m', 'pip', 'wheel', '--quiet', '--no-deps', '--wheel-dir', 'wheels', '.']
    await run(python.executable, wheel, { cwd: made, env })
    const [file = ''] = await readdir(join(made, 'wheels'))
    const list = ['-m', 'zipfile', '-e', join(made, 'wheels', file), join(made, 'unpacked')]
    await run(python.executable, list)
    const info = join(made, 'unpacked/braidwork_in_a_wheel-0.1.0.dist-info')
    expect(await readdir(join(made, 'unpacked/braidwork_in_a_wheel'))).to.include('plugin.py')
    expect(await readFile(join(info, 'entry_points.txt'), 'utf8')).to.include(
      'tool.in-a-wheel = braidwork_in_a_wheel.plugin',
    )
  })
})
