import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, mkdir, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import type { Python } from '../../../src/python/venvs/find-python.ts'
import { type MakeOptions, makeVenv, removeVenv } from '../../../src/python/venvs/make-venv.ts'
import { pluginPythonOf, venvsFolder } from '../../../src/python/venvs/venvs.ts'
import { errorOf } from '../../helpers/plugins.ts'
import { makeWheel, projectOf, pythonHere } from '../python-plugins.ts'
import { eachVenvFolder, type VenvFolder } from '../venv-folder.ts'

let folder: string
let variables: VenvFolder['variables']
let plugin: VenvFolder['plugin']
eachVenvFolder((made) => {
  ;({ folder, variables, plugin } = made)
})

describe('makeVenv', function () {
  this.timeout(60_000)
  let python: Python
  before(async function () {
    const found = await pythonHere()
    if (!found) return this.skip()
    python = found
  })

  /** Without uv, whatever this machine has. */
  function make(words: string, options: MakeOptions = {}) {
    return makeVenv(words, python, {
      variables: { ...variables, PATH: '/usr/bin:/bin' },
      ...options,
    })
  }

  async function wordsIn(words: string, name: string): Promise<string> {
    const { executable } = await pluginPythonOf(words, python, variables)
    const script = `import ${name}; print(${name}.WORD)`
    return execFileSync(executable, ['-E', '-s', '-c', script], { encoding: 'utf8' }).trim()
  }

  function leftovers(): Promise<string[]> {
    return readdir(venvsFolder(variables))
  }

  it('makes what a plugin needs, once', async () => {
    const words = await plugin('words', projectOf([await makeWheel(python, folder, 'word_one')]))
    expect((await make(words)).outcome).to.equal('made')
    expect(await wordsIn(words, 'word_one')).to.equal('word_one')
    expect((await make(words)).outcome).to.equal('there')
    expect(await leftovers()).to.have.length(1)
  })

  it('makes nothing for a plugin without packages', async () => {
    expect(await make(await plugin('words', projectOf([])))).to.deep.equal({
      outcome: 'not needed',
    })
    expect(existsSync(join(folder, 'data'))).to.equal(false)
  })

  it('installs a package without what it depends on', async () => {
    const wheel = await makeWheel(python, folder, 'weights', 'no-such-package-anywhere')
    const words = await plugin('words', projectOf([], `no-deps = ${JSON.stringify([wheel])}`))
    await make(words)
    expect(await wordsIn(words, 'weights')).to.equal('weights')
  })

  it('gives plugins of the same packages one venv, those of others another', async () => {
    const [one, two] = [
      await makeWheel(python, folder, 'word_one'),
      await makeWheel(python, folder, 'word_two'),
    ]
    const first = await plugin('first', projectOf([one, two]))
    const same = await plugin('same', projectOf([two, one]))
    const other = await plugin('other', projectOf([two]))
    await make(first)
    await make(other)
    const keys = await Promise.all(
      [first, same, other].map(async (at) => (await pluginPythonOf(at, python, variables)).key),
    )
    expect(keys[1]).to.equal(keys[0])
    expect(keys[2]).not.to.equal(keys[0])
  })

  it('leaves nothing where a package is not found, and says what the installer said', async () => {
    const words = await plugin(
      'words',
      projectOf([`gone @ file://${folder}/gone-1.0-py3-none-any.whl`]),
    )
    const error = await errorOf(make(words))
    expect(error.code).to.equal('PYTHON_INSTALL_FAILED')
    expect(error.message).to.match(
      /could not be created, and its files were removed: .*No such file/s,
    )
    expect(await leftovers()).to.deep.equal([])
  })

  it('leaves nothing where no registry answers', async () => {
    const words = await plugin('words', projectOf(['six']))
    const offline = {
      ...variables,
      PATH: '/usr/bin:/bin',
      PIP_INDEX_URL: 'http://127.0.0.1:9/simple',
      PIP_FIND_LINKS: folder,
      PIP_RETRIES: '0',
    }
    const error = await errorOf(make(words, { variables: offline }))
    expect(error.code).to.equal('PYTHON_INSTALL_FAILED')
    expect(error.message).to.include('six')
    expect(await leftovers()).to.deep.equal([])
  })

  it('leaves nothing where the disk is full or may not be written', async () => {
    await writeFile(join(folder, 'data'), 'no folder')
    const words = await plugin('words', projectOf(['six']))
    expect((await errorOf(make(words))).code).to.equal('PYTHON_INSTALL_FAILED')
  })

  /** Puts an installer first that answers as uv does. */
  async function withInstaller(script: string): Promise<NodeJS.ProcessEnv> {
    const path = join(folder, 'bin', 'uv')
    await mkdir(join(path, '..'), { recursive: true })
    await writeFile(path, `#!/bin/sh\n${script}\n`)
    await chmod(path, 0o755)
    return { ...variables, PATH: `${join(folder, 'bin')}:/usr/bin:/bin` }
  }

  /** One that has nothing to fetch, and so is quick. */
  function quickInstaller(): Promise<NodeJS.ProcessEnv> {
    const venv = `for last; do :; done; exec ${python.executable} -m venv --without-pip "$last"`
    return withInstaller(`case "$1" in venv) ${venv};; *) echo "uv $*";; esac`)
  }

  it('stops with its signal, ends all of the installer, and leaves nothing', async () => {
    const controller = new AbortController()
    // The second process holds the output open: as long as it is there, the installer has not ended.
    const endless = await withInstaller('echo started\nsleep 1000 & wait')
    const stopped = make(await plugin('words', projectOf(['six'])), {
      variables: endless,
      signal: controller.signal,
      log: () => controller.abort(),
    })
    expect((await errorOf(stopped)).code).to.equal('ABORTED')
    expect(await leftovers()).to.deep.equal([])
  })

  it('clears away what a killed process left', async () => {
    const parent = venvsFolder(variables)
    await mkdir(join(parent, '.making-999999999-abc', 'venv'), { recursive: true })
    await mkdir(join(parent, `.making-${process.ppid}-def`))
    const words = await plugin('words', projectOf(['six']))
    await make(words, { variables: await quickInstaller() })
    const left = (await leftovers()).filter((name) => name.startsWith('.'))
    expect(left).to.deep.equal([`.making-${process.ppid}-def`])
  })

  it('mends one that lost its interpreter', async () => {
    const words = await plugin('words', projectOf(['six']))
    const quick = { variables: await quickInstaller() }
    await make(words, quick)
    const { executable } = await pluginPythonOf(words, python, variables)
    await rm(executable)
    await symlink('/gone/python', executable)
    const error = await errorOf(pluginPythonOf(words, python, variables))
    expect(error.code).to.equal('PYTHON_ENVIRONMENT_MISSING')
    expect(error.message).to.include(`has lost its interpreter "${executable}". Create it with: `)
    expect((await make(words, quick)).outcome).to.equal('made')
    expect((await pluginPythonOf(words, python, variables)).executable).to.equal(executable)
  })

  it('makes one venv where two make it at once', async () => {
    const words = await plugin('words', projectOf(['six']))
    const quick = { variables: await quickInstaller() }
    await Promise.all([make(words, quick), make(words, quick)])
    expect(await leftovers()).to.have.length(1)
  })

  it('is removed as a whole', async () => {
    const words = await plugin('words', projectOf(['six']))
    await make(words, { variables: await quickInstaller() })
    expect(await removeVenv(words, python, variables)).to.equal(true)
    expect(await leftovers()).to.deep.equal([])
    expect(await removeVenv(words, python, variables)).to.equal(false)
  })

  it('prefers uv where it is there', async function () {
    const words = await plugin('words', projectOf([await makeWheel(python, folder, 'word_one')]))
    const lines: string[] = []
    await makeVenv(words, python, { variables, log: (line) => lines.push(line) })
    if (!lines.some((line) => line.startsWith('uv '))) {
      this.test!.title += ' (skipped: there is no uv on the path)'
      return this.skip()
    }
    expect(await wordsIn(words, 'word_one')).to.equal('word_one')
  })
})
