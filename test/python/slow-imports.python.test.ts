import { expect } from 'chai'
import { loadModule } from '../../src/core/load/load-plugin.ts'
import { PythonPlugins } from '../../src/python/index.ts'
import { eachPythonFolder, type PythonFolder } from '../helpers/python-hosts.ts'

const GOOD = 'kind = "feature"\nname = "good"\n'
const SLEEPING = `import time\ntime.sleep(0.7)\nkind = "feature"\nname = "sleeping"\n`

const HANGING = [
  ['sleeps', 'import time\ntime.sleep(100)\n'],
  ['is in C', 'sum(range(10**12))\n'],
] as const

describe('Python plugins that are imported one after the other', () => {
  let folder: PythonFolder
  eachPythonFolder((made) => {
    folder = made
  })

  /** The faults of modules that are loaded together, each within a second. */
  async function faultsOf(...texts: readonly string[]): Promise<readonly string[]> {
    const python = new PythonPlugins({ log: () => undefined, loadSeconds: 1 })
    const load = async (text: string, at: number) => {
      const path = await folder.write(`module_${at}.py`, text)
      const { diagnostics } = await loadModule(path, path, { python, seconds: 1 })
      return diagnostics.map(({ message }) => message).join()
    }
    try {
      return await Promise.all(texts.map(load))
    } finally {
      await python.close()
    }
  }

  for (const [what, text] of HANGING) {
    it(`are loaded behind one whose import hangs: it ${what}`, async () => {
      const [hung, first, second] = await faultsOf(text, GOOD, GOOD.replace('good', 'better'))
      expect(hung).to.include('could not be loaded: it did not answer within 1 s')
      expect([first, second]).to.deep.equal(['', ''])
    })
  }

  it('have the whole time for each import', async () => {
    expect(await faultsOf(SLEEPING, SLEEPING, SLEEPING)).to.deep.equal(['', '', ''])
  })
})
