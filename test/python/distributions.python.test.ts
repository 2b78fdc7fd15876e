import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect } from 'chai'
import { createHost, type Diagnostic } from '../../src/core/index.ts'
import type { Python } from '../../src/python/find-python.ts'
import { textProvider } from '../helpers/hosts.ts'
import { pythonOf, runPython } from '../helpers/python.ts'

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

  async function hostOf(reference: string) {
    const executable = join(folder, 'venv/bin/python')
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

  it('that are not installed are said to be no package either', async () => {
    expect((await faultOf('none-such-at-all'))?.message).to.include(
      'no package with that name here',
    )
    expect((await faultOf('@none/such'))?.message).to.include('no package with that name here')
  })
})
