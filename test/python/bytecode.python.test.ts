import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { errorOf } from '../helpers/plugins.ts'
import { pythonOf, runPython } from '../helpers/python.ts'
import { eachPythonFolder, type PythonFolder } from '../helpers/python-hosts.ts'

/** Puts bytecode of another program into a module's place, as its source's time and size say that it is. */
const FORGE = `
import importlib._bootstrap_external as external, importlib.util, os, sys
source, program, target = sys.argv[1:]
facts = os.stat(source)
code = compile(program, source, "exec")
path = target or importlib.util.cache_from_source(source)
os.makedirs(os.path.dirname(path), exist_ok=True)
with open(path, "wb") as file:
    file.write(external._code_to_timestamp_pyc(code, int(facts.st_mtime), facts.st_size))
`

const plugin = (imported: string): string => `
${imported}

kind = "feature"
name = "told"

def run_action(id, input):
    return helper.TOLD
`

describe('bytecode beside the modules of a plugin', () => {
  let folder: PythonFolder
  eachPythonFolder((made) => {
    folder = made
  })

  async function forge(context: Mocha.Context, source: string, target = ''): Promise<void> {
    const program =
      'TOLD = "forged"\nkind = "feature"\nname = "told"\ndef run_action(id, input): return TOLD'
    await runPython(await pythonOf(context), '-c', FORGE, source, program, target)
  }

  async function told(entry: string): Promise<unknown> {
    const host = await folder.host([entry])
    return host.runAction('told', 'any', null)
  }

  for (const [how, imported] of [
    ['by its place in the package', 'from . import helper'],
    ['by its name alone', 'import helper'],
    ['in a package below', 'from .inner import helper'],
  ] as const) {
    it(`is not taken for a module that is imported ${how}`, async function () {
      await mkdir(join(folder.path, 'inner'))
      await folder.write('inner/__init__.py', '')
      for (const name of ['helper.py', 'inner/helper.py']) {
        await forge(this, await folder.write(name, 'TOLD = "genuine"'))
      }
      await forge(this, join(folder.path, 'inner/__init__.py'))
      const entry = await folder.write('plugin.py', plugin(imported))
      await forge(this, entry)
      expect(await told(entry)).to.equal('genuine')
    })
  }

  it('is not taken for a plugin that is a package', async function () {
    const entry = await folder.write('__init__.py', plugin('class helper: TOLD = "genuine"'))
    await forge(this, entry)
    expect(await told(entry)).to.equal('genuine')
  })

  it('is no module where there is no source', async function () {
    const entry = await folder.write('plugin.py', plugin('import helper'))
    await forge(this, entry, join(folder.path, 'helper.pyc'))
    const error = await errorOf(told(entry))
    expect(error.message).to.include('No plugin "told" is registered')
  })

  it('is not written', async () => {
    await folder.write('helper.py', 'TOLD = "genuine"')
    const entry = await folder.write('plugin.py', plugin('import helper'))
    expect(await told(entry)).to.equal('genuine')
    expect(await readdir(folder.path)).to.have.members(['helper.py', 'plugin.py'])
  })
})
