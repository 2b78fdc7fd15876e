import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { type CommandFolder, eachCommandFolder } from '../helpers/command-folder.ts'
import { projectOf, writePythonPlugin } from '../python/python-plugins.ts'

interface Report {
  readonly base: {
    readonly executable?: string
    readonly version?: string
    readonly fault?: string
  }
  readonly others: readonly { readonly executable: string }[]
  readonly plugins: readonly {
    readonly plugin: string
    readonly packages: readonly string[]
    readonly executable?: string
    readonly fault?: string
  }[]
  readonly venvs: readonly {
    readonly folder: string
    readonly plugins: readonly string[]
    readonly fault?: string
  }[]
}

describe('braidwork doctor', function () {
  this.timeout(60_000)
  let folder: string
  let env: CommandFolder['env']
  let run: CommandFolder['run']
  eachCommandFolder((made) => {
    ;({ folder, env, run } = made)
  })

  async function examine(more: NodeJS.ProcessEnv = {}) {
    const { status, out } = await run(['doctor', '--json'], { env: { ...env, ...more } })
    return { status, report: JSON.parse(out) as Report }
  }

  /** Adds a plugin without making what it needs. */
  async function addUnmade(project: string): Promise<string> {
    const words = await writePythonPlugin(join(folder, 'words'), project)
    await mkdir(join(folder, 'config', 'braidwork'), { recursive: true })
    const list = JSON.stringify({ plugins: [words] })
    await writeFile(join(folder, 'config', 'braidwork', 'plugins.json'), list)
    return words
  }

  it('is content without any Python, where no plugin needs one', async () => {
    const { status, report } = await examine({ PYTHON_BIN: '/nowhere/python3' })
    expect(status).to.equal(0)
    expect(report.base.fault).to.include('there is no such program')
    expect(report.plugins).to.deep.equal([])
  })

  it('says of a plugin without any Python what to install', async () => {
    await addUnmade(projectOf([]))
    const without = { ...env, PYTHON_BIN: '/nowhere/python3' }
    const { status, out } = await run(['doctor'], { env: without })
    expect(status).to.equal(1)
    expect(out).to.include('No Python: ').and.include('Install Python 3.9 or newer')
    expect(out).to.match(/^words +off +nothing$/m)
  })

  it('says what is wrong with a pyproject.toml', async () => {
    await addUnmade('[project')
    const { status, report } = await examine()
    expect(status).to.equal(1)
    expect(report.plugins[0]?.fault).to.match(/^pyproject\.toml of ".*words" is not valid at \/: /)
  })
})
