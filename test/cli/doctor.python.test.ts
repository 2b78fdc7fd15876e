import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect } from 'chai'
import { makeVenv } from '../../src/python/venvs/make-venv.ts'
import { makeWheel, projectOf, pythonHere, writePythonPlugin } from '../python/python-plugins.ts'
import { braidwork } from './command.ts'
import { type ExaminedFolder, eachExaminedFolder } from './examined.ts'

describe('braidwork doctor', function () {
  this.timeout(60_000)
  let folder: string
  let env: ExaminedFolder['env']
  let run: ExaminedFolder['run']
  let examine: ExaminedFolder['examine']
  let addUnmade: ExaminedFolder['addUnmade']
  eachExaminedFolder((made) => {
    ;({ folder, env, run, examine, addUnmade } = made)
  })

  describe('with Python', () => {
    let PATH: string
    before(async function () {
      const { executable } = (await pythonHere()) ?? this.skip()
      PATH = `${dirname(executable)}:/usr/bin:/bin`
    })
    // The command asks each interpreter on the path, and with a version manager there are many.
    beforeEach(() => {
      env['PATH'] = PATH
    })

    it('names the interpreter behind a script that looks it up, and how to start it at once', async () => {
      const { executable } = (await examine()).report.base
      const shim = join(folder, 'shim')
      await writeFile(shim, `#!/bin/sh\nexec "${executable}" "$@"\n`, { mode: 0o755 })
      const { report } = await examine({ PYTHON_BIN: shim })
      expect(report).to.deep.include({ shim })
      expect(report.base.executable).to.equal(executable)
      const { out } = await run(['doctor'], { env: { ...env, PYTHON_BIN: shim } })
      expect(out).to.include(
        `the script ${shim} looks it up at each start; set PYTHON_BIN=${executable} to skip that`,
      )
      expect((await examine({ PYTHON_BIN: executable })).report).to.not.have.property('shim')
    })

    it('names the interpreter, the others, and plugins that are well', async () => {
      await addUnmade(projectOf([]))
      const { status, report } = await examine({ PATH: process.env['PATH'] })
      expect(status).to.equal(0)
      expect(report.base.version).to.match(/^3\.\d+\.\d+$/)
      expect(report.others.map(({ executable }) => executable)).not.to.include(
        report.base.executable,
      )
      expect(report.plugins).to.deep.equal([
        {
          plugin: 'words',
          folder: join(folder, 'words'),
          packages: [],
          executable: report.base.executable,
        },
      ])
    })

    const BROKEN: readonly (readonly [title: string, module: string, fault: RegExp])[] = [
      ['has a syntax error', 'def (:\n', /SyntaxError/],
      ['imports a missing module', 'import not_there_at_all\n', /not_there_at_all/],
      ['is not what its manifest says', 'kind = "feature"\nname = "other"\n', /The manifest says/],
    ]
    for (const [title, module, fault] of BROKEN) {
      it(`says that a plugin is off whose module ${title}`, async () => {
        const words = await addUnmade(projectOf([]))
        await writeFile(join(words, 'plugin.py'), module)
        const { status, report } = await examine()
        expect(status).to.equal(1)
        expect(report.plugins[0]?.fault).to.match(fault)
        expect((await run(['doctor'])).out).to.match(/^words +off +nothing$/m)
      })
    }

    it('lists the plugins that a config names by their paths', async () => {
      await writeFile(join(folder, 'good.py'), 'kind = "feature"\nname = "good-one"\n')
      await writeFile(join(folder, 'bad.py'), 'def (:\n')
      const config = { plugins: ['scripted', './good.py', './bad.py'] }
      await writeFile(join(folder, 'own.json'), JSON.stringify(config))
      const { status, out } = await run(['doctor', '--config', 'own.json'])
      expect(status).to.equal(1)
      expect(out)
        .to.match(/^good-one +well +nothing$/m)
        .and.match(/^bad +off +nothing$/m)
        .and.match(/^bad: .*SyntaxError/m)
      expect((await run(['doctor'])).out).to.not.include('good-one')
      await writeFile(join(folder, 'braidwork.json'), '{"plugins": ["./good.py"]}')
      expect((await run(['doctor'])).out).to.not.include('good-one')
      await run(['trust'])
      expect(await run(['doctor'])).to.deep.include({ status: 0 })
      expect((await run(['doctor'])).out).to.match(/^good-one +well +nothing$/m)
    })

    it('says that a plugin is not there which the config names, and which config is not valid', async () => {
      await writeFile(join(folder, 'own.json'), '{"plugins": ["./gone.py"]}')
      const { status, err } = await run(['doctor', '--config', 'own.json'])
      expect([status, err]).to.satisfy(() => status === 1 && err.includes('gone.py'))
      await writeFile(join(folder, 'own.json'), '{"plugins": 5}')
      expect((await run(['doctor', '--config', 'own.json'])).status).to.equal(2)
    })

    it('says which command makes a virtual environment that is not there', async () => {
      const words = await addUnmade(projectOf(['six'], 'no-deps = ["weights"]'))
      const { status, out } = await run(['doctor'])
      expect(status).to.equal(1)
      expect(out).to.match(/^words +off +six, weights$/m)
      expect(out).to.include(`Create it with: braidwork plugins add ${words}`)
    })

    it('says which plugins use a virtual environment', async function () {
      const python = (await pythonHere()) ?? this.skip()
      const words = await addUnmade(projectOf([await makeWheel(python, folder, 'word_one')]))
      await makeVenv(words, python, { variables: { ...env, PATH: '/usr/bin:/bin' } })
      expect((await run(['doctor'])).out).to.match(/ used by words +\S*word_one/)
      await rm(words, { recursive: true })
      await writeFile(join(folder, 'config', 'braidwork', 'plugins.json'), '{"plugins": []}')
      expect((await run(['doctor'])).out).to.include(' used by no plugin found from here ')
    })

    it('says what is wrong with virtual environments', async () => {
      const parent = join(folder, 'data', 'braidwork', 'environments')
      await mkdir(join(parent, 'empty'), { recursive: true })
      await mkdir(join(parent, 'lost', 'bin'), { recursive: true })
      await writeFile(join(parent, 'lost', 'braidwork-environment.json'), '{"packages": ["six"]}')
      await symlink('/gone/python', join(parent, 'lost', 'bin', 'python'))
      const { status, report } = await examine()
      expect(status).to.equal(0)
      expect(report.venvs.map(({ fault }) => fault)).to.deep.equal([
        'not whole',
        'its Python interpreter is missing',
      ])
      const { out } = await run(['doctor'])
      expect(out).to.match(/lost +its Python interpreter is missing; delete it +six$/m)
    })
  })
})

describe('a plugin that was found, and whose Python or packages are not there', () => {
  it('is spoken of where it is asked for, and else in notes', async function () {
    this.timeout(60_000)
    if (!(await pythonHere())) return this.skip()
    const folder = await mkdtemp(join(tmpdir(), 'braidwork-'))
    try {
      const words = await writePythonPlugin(join(folder, 'words'), projectOf(['six']))
      await mkdir(join(folder, 'braidwork'))
      const list = JSON.stringify({ plugins: [words] })
      await writeFile(join(folder, 'braidwork', 'plugins.json'), list)
      const options = {
        cwd: folder,
        env: { XDG_CONFIG_HOME: folder, XDG_DATA_HOME: join(folder, 'data') },
      }
      expect((await braidwork(['chat', 'hello'], options)).err).to.equal('')
      const without = { ...options, env: { ...options.env, PYTHON_BIN: '/no/such/python' } }
      expect((await braidwork(['chat', 'hello'], without)).err).to.equal('')
      const asked = ['--set', 'enabled_plugins=["words"]']
      expect((await braidwork(['chat', 'hello', ...asked], without)).err).to.include(
        'error PYTHON_MISSING: Plugin ',
      )
      expect((await braidwork(['chat', 'hello', ...asked], options)).err).to.include(
        'error PYTHON_ENVIRONMENT_MISSING: Plugin ',
      )
      const { err, status } = await braidwork(['config', 'check'], options)
      expect(err).to.include('info PYTHON_ENVIRONMENT_MISSING')
      expect(status).to.equal(0)
    } finally {
      await rm(folder, { recursive: true })
    }
  })
})
