import { execFileSync } from 'node:child_process'
import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { HostError } from '../../../src/plugin/errors.ts'
import {
  childVariables,
  findPython,
  listPythons,
  type PythonPlaces,
  shimOf,
} from '../../../src/python/venvs/find-python.ts'

/** The Python of this machine, if there is one. */
function installedPython(): string | undefined {
  try {
    const out = execFileSync('python3', ['-c', 'import sys; print(sys.executable)'], {
      encoding: 'utf8',
    })
    return out.trim()
  } catch {
    return undefined
  }
}

describe('findPython', () => {
  const installed = installedPython()
  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'braidwork-'))
  })
  afterEach(() => rm(folder, { recursive: true }))

  /** A program that says what a Python would. */
  async function program(name: string, script: string): Promise<string> {
    const path = join(folder, name)
    await mkdir(join(path, '..'), { recursive: true })
    await writeFile(path, `#!/bin/sh\n${script}\n`)
    await chmod(path, 0o755)
    return path
  }

  const answering = (version: string, executable: string) =>
    `printf '%s\\n' '${executable}' '${version}'`

  async function faultOf(places: PythonPlaces): Promise<HostError> {
    try {
      await findPython(places)
    } catch (error) {
      expect(HostError.is(error) && error.code).to.equal('PYTHON_MISSING')
      return error as HostError
    }
    throw new Error('it found one')
  }

  it('takes the configured one, then PYTHON_BIN, then the active virtual environment, then python3', async () => {
    const configured = await program('configured', answering('3.12.1', '/a'))
    const named = await program('named', answering('3.12.2', '/b'))
    await program('venv/bin/python', answering('3.12.3', '/c'))
    await program('bin/python3', answering('3.12.4', '/d'))
    const all = {
      PATH: `${join(folder, 'bin')}:/usr/bin:/bin`,
      PYTHON_BIN: named,
      VIRTUAL_ENV: join(folder, 'venv'),
    }
    expect((await findPython({ configured, variables: all })).executable).to.equal('/a')
    expect((await findPython({ variables: all })).executable).to.equal('/b')
    const { PYTHON_BIN: _, ...active } = all
    expect((await findPython({ variables: active })).executable).to.equal('/c')
    expect(await findPython({ variables: { PATH: all.PATH } })).to.deep.equal({
      executable: '/d',
      version: '3.12.4',
    })
  })

  it('names the program behind a link or a shim', async function () {
    if (installed === undefined) {
      process.stderr.write(`"${this.test?.title}" is skipped: there is no python3 on the path\n`)
      return this.skip()
    }
    const shim = await program('shim', `exec ${installed} "$@"`)
    const found = await findPython({ configured: shim, variables: {} })
    expect(found.executable).to.equal(installed)
    await symlink(installed, join(folder, 'link'))
    expect((await findPython({ configured: join(folder, 'link') })).version).to.equal(found.version)
  })

  it('tells a script in its place, which looks it up each time, from the program', async () => {
    const shim = await program('bin/python3', answering('3.12.4', '/d'))
    const PATH = `${join(folder, 'nowhere')}:${join(folder, 'bin')}`
    expect(await shimOf({ variables: { PATH } })).to.equal(shim)
    expect(await shimOf({ configured: shim })).to.equal(shim)
    await symlink(process.execPath, join(folder, 'program'))
    expect(await shimOf({ configured: join(folder, 'program') })).to.equal(undefined)
    expect(await shimOf({ configured: folder })).to.equal(undefined)
    expect(await shimOf({ variables: {} })).to.equal(undefined)
  })

  it('does not pass over one that was named for another', async () => {
    const error = await faultOf({ variables: { ...process.env, PYTHON_BIN: '/nowhere/python' } })
    expect(error.message).to.equal(
      'Python plugins cannot run with "/nowhere/python" of PYTHON_BIN: there is no such program. Install Python 3.9 or newer, or set PYTHON_BIN to one.',
    )
    const gone = await faultOf({ variables: { VIRTUAL_ENV: join(folder, 'gone') } })
    expect(gone.message).to.include(
      'the active virtual environment (VIRTUAL_ENV): there is no such program',
    )
  })

  it('says that there is none', async () => {
    const error = await faultOf({ variables: { PATH: folder } })
    expect(error.message).to.include('with "python3": there is no such program')
  })

  it('says that one is too old', async () => {
    const configured = await program('old', answering('3.8.18', '/old'))
    expect((await faultOf({ configured })).message).to.include(
      'it is Python 3.8.18, but plugins need 3.9 or newer',
    )
  })

  it('takes the oldest that there may be', async () => {
    const configured = await program('oldest', answering('3.9.0', '/oldest'))
    expect((await findPython({ configured })).version).to.equal('3.9.0')
  })

  it('says what is wrong with one that does not run', async () => {
    const failing = await program(
      'failing',
      'echo "pyenv: version 3.99 is not installed" >&2; exit 1',
    )
    expect((await faultOf({ configured: failing })).message).to.include(
      'of the config: pyenv: version 3.99 is not installed.',
    )
    const silent = await program('silent', 'exit 7')
    expect((await faultOf({ configured: silent })).message).to.include('it failed (exit status 7)')
    await chmod(silent, 0o644)
    expect((await faultOf({ configured: silent })).message).to.include('it cannot be executed')
    const below = await faultOf({ configured: join(silent, 'python3') })
    expect(below.message).to.include('ENOTDIR')
    const other = await program('other', 'echo hello')
    expect((await faultOf({ configured: other })).message).to.include('it is not Python')
    expect((await faultOf({ configured: folder })).message).to.include('it cannot be executed')
  })

  it('shows a child no variables but those that it needs', async () => {
    const configured = await program(
      'nosy',
      'printf "%s\\n" "$PATH|$HOME|$LANG|$TMPDIR|$OPENAI_API_KEY" 3.12.0',
    )
    const variables = { PATH: '/p', HOME: '/h', LANG: 'l', TMPDIR: '/t', OPENAI_API_KEY: 'sk-1' }
    const { executable } = await findPython({ configured, variables })
    expect(executable).to.equal('/p|/h|l|/t|')
  })
})

describe('listPythons', () => {
  it('lists each interpreter of the search path once, and only those that run', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'braidwork-'))
    try {
      const answer = (version: string) => `#!/bin/sh\nprintf '%s\\n' "$0" ${version}\n`
      for (const [name, text] of [
        ['python3.12', answer('3.12.1')],
        ['python3.13', answer('3.13.0')],
        ['python3.8', answer('3.8.0')],
        ['python3-config', answer('3.14.0')],
        ['python3.14', '#!/bin/sh\nexit 1\n'],
      ] as const) {
        await writeFile(join(folder, name), text)
        await chmod(join(folder, name), 0o755)
      }
      await symlink(join(folder, 'python3.12'), join(folder, 'python3'))
      const found = await listPythons({ PATH: `${folder}:/gone` })
      expect(found.map(({ version }) => version)).to.deep.equal(['3.13.0', '3.12.1'])
    } finally {
      await rm(folder, { recursive: true })
    }
  })
})

describe('childVariables', () => {
  it('has what every program needs, and nothing that is not set', () => {
    const variables = { PATH: '/p', TOKEN: 't', LANG: 'C.UTF-8' }
    expect(childVariables(variables)).to.deep.equal({ PATH: '/p', LANG: 'C.UTF-8' })
  })
})
