import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { openHost } from '../../src/cli/open-host.ts'
import { waitForEnd } from '../helpers/processes.ts'
import { eachPythonFolder, type PythonFolder } from '../helpers/python-hosts.ts'

/** A tool whose module says which process imports it. */
function toolOf(name: string): string {
  return `
import os

kind = "tool"
name = "${name}"
print("in", os.getpid(), flush=True)

def ${name}():
    """Answers."""
    return 1

functions = [${name}]
`
}

describe('the interpreter of a plugin in Python that is refused after its import', () => {
  let folder: PythonFolder
  eachPythonFolder((made) => {
    folder = made
  })

  /** The processes that the modules were imported by. */
  function importers(log: readonly { readonly message: string }[] = folder.log): readonly number[] {
    const said = log.flatMap(({ message }) => /^in (\d+)$/.exec(message)?.[1] ?? [])
    return [...new Set(said.map(Number))]
  }

  /** A package whose manifest names another plugin than its module. */
  async function mismatched(): Promise<string> {
    const path = join(folder.path, 'package')
    const plugins = [{ kind: 'tool', name: 'said', entry: './made.py' }]
    await mkdir(path)
    const manifest = { name: 'p', version: '1.0.0', braidwork: { apiVersion: 1, plugins } }
    await writeFile(join(path, 'package.json'), JSON.stringify(manifest))
    await writeFile(join(path, 'made.py'), toolOf('made'))
    return path
  }

  it('ends with the host where another plugin has the name', async () => {
    const host = await folder.host([toolOf('twice'), toolOf('twice')])
    expect(host.diagnostics.map(({ code }) => code)).to.deep.equal(['PLUGIN_NAME_TAKEN'])
    await host.close()
    expect(importers()).to.have.lengthOf(1)
    expect(await waitForEnd(importers())).to.deep.equal([])
  })

  it('ends with the host where its manifest names another plugin', async () => {
    const host = await folder.host([await mismatched()])
    await host.load()
    expect(host.diagnostics.map(({ code }) => code)).to.deep.equal(['MANIFEST_INVALID'])
    await host.close()
    expect(importers()).to.have.lengthOf(1)
    expect(await waitForEnd(importers())).to.deep.equal([])
  })

  it('ends with the host of the command line', async () => {
    const config = join(folder.path, 'braidwork.json')
    await writeFile(config, JSON.stringify({ plugins: ['scripted', await mismatched()] }))
    const { host } = await openHost({ config }, { log: (entry) => folder.log.push(entry) })
    await host.load()
    await host.close()
    expect(importers()).to.have.lengthOf(1)
    expect(await waitForEnd(importers())).to.deep.equal([])
  })
})
