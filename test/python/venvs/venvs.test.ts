import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import type { Python } from '../../../src/python/venvs/find-python.ts'
import { makeVenv } from '../../../src/python/venvs/make-venv.ts'
import { readNeeds } from '../../../src/python/venvs/needs.ts'
import { readVenvs } from '../../../src/python/venvs/venv-list.ts'
import {
  MADE_FILE,
  pluginPythonOf,
  type Venv,
  venvOf,
  venvsFolder,
} from '../../../src/python/venvs/venvs.ts'
import { errorOf } from '../../helpers/plugins.ts'
import { projectOf } from '../python-plugins.ts'
import { eachVenvFolder, type VenvFolder } from '../venv-folder.ts'

const BASE: Python = { executable: '/opt/python/bin/python3', version: '3.11.7' }

let folder: string
let variables: VenvFolder['variables']
let plugin: VenvFolder['plugin']
eachVenvFolder((made) => {
  ;({ folder, variables, plugin } = made)
})

describe('readNeeds', () => {
  it('reads versions, packages, those that come alone, and a group', async () => {
    const own = 'no-deps = ["weights==0.1.2"]\nisolation = "model"'
    const project = projectOf(['numpy >= 2', 'six'], own).replace(
      '[project]',
      '[project]\nrequires-python = ">=3.10"',
    )
    expect(await readNeeds(await plugin('words', project))).to.deep.equal({
      python: '>=3.10',
      packages: ['numpy >= 2', 'six'],
      alone: ['weights==0.1.2'],
      isolation: 'model',
    })
  })

  it('needs nothing where there is no pyproject.toml', async () => {
    expect(await readNeeds(folder)).to.deep.equal({ packages: [], alone: [] })
  })

  const FAULTS = [
    ['[project', '/', 'invalid', 'text that is no TOML'],
    ['project = 1', '/project', 'it must be a table', 'a project that is no table'],
    ['[project]\ndependencies = "six"', '/project/dependencies', 'it must be a list', 'no list'],
    ['[project]\nrequires-python = "3.10"', '/project/requires-python', '"3.10"', 'a bare version'],
    [
      '[tool.braidwork]\nisolation = 1',
      '/tool/braidwork/isolation',
      'it must be a text',
      'no text',
    ],
    [
      '[project]\ndependencies = ["six", "--index-url=http://x"]',
      '/project/dependencies/1',
      'not a requirement',
      'an option of the installer',
    ],
    [
      '[project]\ndependencies = ["./six"]',
      '/project/dependencies/0',
      'not a requirement',
      'a path',
    ],
    [
      '[tool.braidwork]\nno-deps = ["a\\nb"]',
      '/tool/braidwork/no-deps/0',
      'not a requirement',
      'two lines',
    ],
    [
      'a = [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]',
      '/',
      'nest',
      'deep nesting',
    ],
  ] as const

  for (const [text, pointer, reason, what] of FAULTS) {
    it(`refuses ${what}, and says where it is`, async () => {
      const error = await errorOf(readNeeds(await plugin('words', text)))
      expect(error.code).to.equal('MANIFEST_INVALID')
      expect(error.message).to.match(/^pyproject\.toml of ".*words" is not valid at /)
      expect(error.message.toLowerCase()).to.include(`at ${pointer}: `).and.include(reason)
    })
  }
})

/** Writes the files by which an environment counts as made. */
async function makePretended({ folder: made, executable }: Venv): Promise<void> {
  await mkdir(join(made, 'bin'), { recursive: true })
  await writeFile(executable, '', { mode: 0o755 })
  await writeFile(join(made, MADE_FILE), '{}')
}

describe('pluginPythonOf', () => {
  it('is the base interpreter for plugins without packages, which share it', async () => {
    const one = await pluginPythonOf(await plugin('one', projectOf([])), BASE, variables)
    const other = await pluginPythonOf(await plugin('other', projectOf([])), BASE, variables)
    expect(one.executable).to.equal(BASE.executable)
    expect(one.key).to.equal(other.key)
    expect(one.paths).to.deep.equal([join(folder, 'one')])
  })

  it('is an interpreter of its own for each group', async () => {
    const keys = new Set<string>()
    for (const own of ['', 'isolation = "a"', 'isolation = "b"']) {
      const { key, executable } = await pluginPythonOf(
        await plugin('words', projectOf([], own)),
        BASE,
        variables,
      )
      expect(executable).to.equal(BASE.executable)
      keys.add(key)
    }
    expect(keys.size).to.equal(3)
  })

  it('says which command makes one that was not made', async () => {
    const words = await plugin('the words', projectOf(['six']))
    const error = await errorOf(pluginPythonOf(words, BASE, variables))
    expect(error.code).to.equal('PYTHON_ENVIRONMENT_MISSING')
    expect(error.message).to.equal(
      `"${words}" needs Python packages (six), but their virtual environment was not made for Python 3.11.7 at "/opt/python/bin/python3". Create it with: braidwork plugins add '${words}'`,
    )
  })

  it('says that another version of Python is needed', async () => {
    const words = await plugin('words', '[project]\nrequires-python = ">=3.12"')
    const error = await errorOf(pluginPythonOf(words, BASE, variables))
    expect(error.code).to.equal('PYTHON_MISSING')
    expect(error.message).to.equal(
      `"${words}" needs Python >=3.12, but "/opt/python/bin/python3" is 3.11.7. Set PYTHON_BIN to another interpreter.`,
    )
  })

  it('is of a folder that all users share if the user has none', async () => {
    const words = await plugin('words', projectOf(['six']))
    const shared = { ...variables, XDG_DATA_DIRS: join(folder, 'shared') }
    const venv = venvOf(await readNeeds(words), BASE, { XDG_DATA_HOME: join(folder, 'shared') })
    await makePretended(venv)
    expect((await pluginPythonOf(words, BASE, shared)).executable).to.equal(venv.executable)
    const own = venvOf(await readNeeds(words), BASE, variables)
    await makePretended(own)
    expect((await pluginPythonOf(words, BASE, shared)).executable).to.equal(own.executable)
    const listed = (await readVenvs(shared)).map((one) => one.folder)
    expect(listed).to.deep.equal([own.folder, venv.folder])
    await rm(own.folder, { recursive: true })
    expect((await makeVenv(words, BASE, { variables: shared })).folder).to.equal(venv.folder)
  })

  it('is in the data folder of the user', () => {
    const home = { HOME: '/home/u' }
    const usual = '/home/u/.local/share/braidwork/environments'
    expect(venvsFolder(home)).to.equal(usual)
    expect(venvsFolder({ ...home, XDG_DATA_HOME: 'relative' })).to.equal(usual)
    expect(venvsFolder({ ...home, XDG_DATA_HOME: '/d' })).to.equal('/d/braidwork/environments')
  })
})
