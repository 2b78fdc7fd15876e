import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import type { Host } from '../../src/core/host/index.ts'
import { eachPythonFolder, type PythonFolder } from '../helpers/python-hosts.ts'

const SHARED = `
def cube(x):
    return x ** 3

def fourth(x):
    return x ** 4
`

const TOOL = `
import concurrent.futures, multiprocessing
from shared import fourth
from .shared import cube

kind = "tool"
name = "squares"

def square(x):
    return x * x

def executor(method: str):
    """Squares in processes."""
    context = multiprocessing.get_context(method)
    with concurrent.futures.ProcessPoolExecutor(1, mp_context=context) as pool:
        return [*pool.map(square, [1, 2, 3]), *pool.map(cube, [2]), *pool.map(fourth, [2])]

def pool(method: str):
    """Squares in a pool."""
    with multiprocessing.get_context(method).Pool(1) as pool:
        return [*pool.map(square, [1, 2, 3]), *pool.map(cube, [2]), *pool.map(fourth, [2])]

functions = [executor, pool]
`

describe('processes that a Python plugin starts by multiprocessing', function () {
  this.timeout(60_000)
  let folder: PythonFolder
  eachPythonFolder((made) => {
    folder = made
  })

  async function outputOf(host: Host, name: string, method: string): Promise<unknown> {
    const opened = await host.open({ limits: { execute_tool: 20 } })
    const call = { type: 'tool-call', callId: 'c', name, input: { method } } as const
    const { output } = await opened.execute(call)
    opened.end()
    return output
  }

  for (const file of ['kit.py', '__init__.py']) {
    for (const method of ['spawn', 'forkserver', 'fork']) {
      it(`run functions of its modules: ${method}, in ${file}`, async () => {
        await mkdir(join(folder.path, 'kit'))
        await folder.write('kit/shared.py', SHARED)
        // Another plugin, so that the number of this one is not the first.
        const host = await folder.host([
          'kind = "feature"\nname = "first"\n',
          await folder.write(`kit/${file}`, TOOL),
        ])
        for (const name of ['executor', 'pool']) {
          expect(await outputOf(host, name, method)).to.deep.equal([1, 4, 9, 8, 16])
        }
        expect(folder.log.filter(({ message }) => message.includes('Error'))).to.deep.equal([])
        // Bytecode beside sources is neither read nor written.
        expect((await readdir(join(folder.path, 'kit'))).toSorted()).to.deep.equal([
          file,
          'shared.py',
        ])
      })
    }
  }
})
