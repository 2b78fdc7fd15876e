import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect } from 'chai'
import { createHost, type Diagnostic } from '../../../src/core/index.ts'
import type { Python } from '../../../src/python/venvs/find-python.ts'
import { textProvider } from '../../helpers/hosts.ts'
import { pythonOf, runPython } from '../../helpers/python.ts'

const SHOUT = `
from pathlib import Path
Path(__file__).with_name("ran").touch()

class Shout:
    kind = "extension"
    name = "shout"
    def from_native(self, natives, core):
        return [{**c, "delta": c["delta"].upper()} if "delta" in c else c for c in core]

plugin = Shout()
`

describe('Python distributions', function () {
  this.timeout(60_000)
  let python: Python
  let folder: string
  let packages: string
  before(async function () {
    python = await pythonOf(this)
    folder = await mkdtemp(join(tmpdir(), 'braidwork-'))
    await runPython(python, '-m', 'venv', '--without-pip', join(folder, 'venv'))
    const lib = join(folder, 'venv/lib')
    const [version = ''] = await readdir(lib)
    packages = join(lib, version, 'site-packages')
    await install('shouting', { 'extension.shout': 'shouting.deep.shout' })
    await write(
      join(packages, 'shouting/__init__.py'),
      'raise SystemExit("the package was imported")\n',
    )
    await write(join(packages, 'shouting/deep/shout.py'), SHOUT)
  })
  after(async () => {
    if (folder) await rm(folder, { recursive: true })
  })

  async function write(path: string, text: string): Promise<void> {
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, text)
  }

  /** The metadata of a distribution, as installers write it. */
  async function install(name: string, points: object, direct?: object): Promise<void> {
    const info = join(packages, `${name}-1.0.dist-info`)
    await write(
      join(info, 'METADATA'),
      `Metadata-Version: 2.1\nName: ${name}\nVersion: 1.0\nSummary: Says it louder\n`,
    )
    const lines = Object.entries(points).map(([point, value]) => `${point} = ${value}`)
    await write(join(info, 'entry_points.txt'), `[braidwork.plugins]\n${lines.join('\n')}\n`)
    if (direct) await write(join(info, 'direct_url.json'), JSON.stringify(direct))
  }

  async function hostOf(reference: string, executable = join(folder, 'venv/bin/python')) {
    return createHost({ plugins: [textProvider('hello there'), reference], python: { executable } })
  }

  async function faultOf(reference: string): Promise<Diagnostic | undefined> {
    await using host = await hostOf(reference)
    return (await host.resolve()).diagnostics[0]
  }

  it('are found by their names, and none of their code runs before a config has a use for it', async () => {
    await using host = await hostOf('shouting')
    const { sections } = await host.uiSchema({ disabled_plugins: ['shout'] })
    expect(sections.find(({ plugin }) => plugin === 'shout')).to.include({
      kind: 'extension',
      on: false,
      description: 'Says it louder',
    })
    expect(existsSync(join(packages, 'shouting/deep/ran'))).to.equal(false)
    const deltas: string[] = []
    for await (const event of host.stream({}, 'hi'))
      if (event.type === 'text-delta') deltas.push(event.delta)
    expect(deltas.join('')).to.equal('HELLO THERE')
    expect(existsSync(join(packages, 'shouting/deep/ran'))).to.equal(true)
  })

  it('that were installed in place are what their pyproject.toml says', async () => {
    const project = join(folder, 'in place')
    await write(
      join(project, 'pyproject.toml'),
      '[project]\nname = "quiet"\n[tool.braidwork]\napi-version = 1\n[[tool.braidwork.plugins]]\nkind = "feature"\nname = "quiet"\nentry = "quiet.py"\n',
    )
    await write(join(project, 'quiet.py'), 'kind = "feature"\nname = "quiet"\n')
    await install('quiet', {}, { url: pathToFileURL(project).href, dir_info: { editable: true } })
    await using host = await hostOf('quiet')
    expect((await host.resolve()).enabled.features).to.deep.equal(['quiet'])
  })

  describe('that were installed in place', () => {
    const QUIET = 'kind = "tool"\nname = "in-place"\n'
    const direct = (project: string) => ({
      url: pathToFileURL(project).href,
      dir_info: { editable: true },
    })

    /** The enabled tools of a distribution that is installed in place, or what is wrong with it. */
    async function toolsOf(reference: string): Promise<readonly string[]> {
      await using host = await hostOf(reference)
      const { enabled, diagnostics } = await host.resolve()
      return [...enabled.tools, ...diagnostics.map(({ message }) => message)]
    }

    async function project(name: string, more = ''): Promise<string> {
      const path = join(folder, name)
      await write(
        join(path, 'pyproject.toml'),
        `[project]\nname = "${name}"\nversion = "1.0"\n${more}[project.entry-points."braidwork.plugins"]\n"tool.in-place" = "${name}.plugin"\n`,
      )
      return path
    }

    it('are what their entry points say, in a folder that a .pth file names', async () => {
      const path = await project('by_path', 'dependencies = []\n')
      await write(join(path, 'src/by_path/plugin.py'), QUIET)
      await write(join(packages, 'by_path.pth'), join(path, 'src'))
      await install('by_path', { 'tool.in-place': 'by_path.plugin' }, direct(path))
      expect(await toolsOf('by_path')).to.deep.equal(['in-place'])
    })

    it('are what their entry points say, in a folder that setuptools maps', async () => {
      const path = await project('mapped')
      await write(join(path, 'lib/plugin.py'), QUIET)
      const finder = '__editable___mapped_1_0_finder.py'
      const map = JSON.stringify({ mapped: join(path, 'lib') })
      await write(join(packages, finder), `MAPPING: dict[str, str] = ${map}\nraise SystemExit\n`)
      await write(join(packages, 'mapped-1.0.dist-info/RECORD'), `${finder},,\n`)
      await install('mapped', { 'tool.in-place': 'mapped.plugin' }, direct(path))
      expect(await toolsOf('mapped')).to.deep.equal(['in-place'])
    })

    it('use the packages that were installed with them where their pyproject.toml names the plugins', async () => {
      const path = join(folder, 'named')
      await write(
        join(path, 'pyproject.toml'),
        '[project]\nname = "named"\nversion = "1.0"\ndependencies = ["shouting"]\n[tool.braidwork]\napi-version = 1\n[[tool.braidwork.plugins]]\nkind = "tool"\nname = "in-place"\nentry = "plugin.py"\n',
      )
      await write(join(path, 'plugin.py'), QUIET)
      await install('named', {}, direct(path))
      expect(await toolsOf('named')).to.deep.equal(['in-place'])
    })

    it('use the packages that were installed with them', async () => {
      const path = await project('needing', 'dependencies = ["shouting"]\n')
      await write(join(path, 'src/needing/plugin.py'), QUIET)
      await write(join(packages, 'needing.pth'), join(path, 'src'))
      await install('needing', { 'tool.in-place': 'needing.plugin' }, direct(path))
      expect(await toolsOf('needing')).to.deep.equal(['in-place'])
    })
  })

  for (const [title, point, value, says] of [
    ['no kind', 'shout', 'shouting.deep.shout', 'its name must consist of kind and name'],
    ['an unknown kind', 'addon.shout', 'shouting.deep.shout', 'kinds are provider'],
    [
      'a module that is not there',
      'tool.gone',
      'shouting.gone',
      'there is no module "shouting.gone"',
    ],
    ['another object', 'tool.other', 'shouting.deep.shout:Shout', 'it refers to "Shout"'],
  ] as const) {
    it(`are refused with an entry point of ${title}`, async () => {
      await install('wrong', { [point]: value })
      const fault = await faultOf('wrong')
      expect(fault).to.include({ code: 'PLUGIN_NOT_LOADED', plugin: 'wrong' })
      expect(fault?.message).to.include(`Entry point "${point}"`).and.include(says)
    })
  }

  it('are not searched with an interpreter that does not run, and the error says why', async () => {
    await using host = await hostOf('shouting', '/no/such/python')
    expect((await host.resolve()).diagnostics[0]?.message)
      .to.include('no package with that name in ')
      .and.include('No package of Python was searched: Python plugins cannot run with')
      .and.include('"/no/such/python" of the config: there is no such program')
  })

  it('that are not installed are said to be no package either', async () => {
    expect((await faultOf('none-such-at-all'))?.message)
      .to.include('no package with that name in ')
      .and.match(/Nor is there a package with that name in the Python "\/.+"/)
    await write(join(packages, 'empty-1.0.dist-info/METADATA'), 'Name: empty\nVersion: 1.0\n')
    expect((await faultOf('empty'))?.message).to.match(
      /The package with that name in "\/.+" has no plugins/,
    )
    expect((await faultOf('@none/such'))?.message).to.include('no package with that name in ')
  })
})
