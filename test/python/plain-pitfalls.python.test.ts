import { expect } from 'chai'
import { plain } from '../helpers/plain-pythonia.ts'
import { eachPythonFolder, type PythonFolder } from '../helpers/python-hosts.ts'

describe('pitfalls of Python plugins in plain pythonia', function () {
  this.timeout(30_000)
  let folder: PythonFolder
  eachPythonFolder((made) => {
    folder = made
  })

  describe('values', () => {
    it('that plain pythonia cannot take: NaN ends the host, a set ends Python', async () => {
      const module = 'import math\ndef nan(): return math.nan\ndef some(): return {"a": {1}}\n'
      expect(await plain(folder, module, 'console.log(await plugin.nan())')).to.include('UNCAUGHT')
      const set = await plain(folder, module, 'console.log(await (await plugin.some()).valueOf())')
      expect(set).to.match(/in time|UNCAUGHT/)
    })
  })

  describe('errors', () => {
    it('of a generator look like its end to plain pythonia', async () => {
      const module = 'def some():\n    yield 1\n    raise ValueError("no more")\n'
      const program = 'for await (const one of await plugin.some()) console.log(one)'
      expect(await plain(folder, module, program)).to.include('1\nEND')
    })
  })

  describe('ends', () => {
    it('leave calls open in plain pythonia until its limit', async () => {
      const module = 'import os\ndef end(): os._exit(3)\n'
      expect(await plain(folder, module, 'await plugin.end()')).to.match(/in time|UNCAUGHT/)
    })
  })

  describe('hung hooks', () => {
    it('keep plain pythonia waiting, and whatever comes after them', async () => {
      const module = 'def spin():\n    while True: pass\ndef one(): return 1\n'
      const program = `await plugin.spin().catch(() => console.log('FIRST')); console.log(await plugin.one())`
      const said = await plain(folder, module, program)
      expect(said)
        .to.include('FIRST')
        .and.match(/FAILED|UNCAUGHT/)
    })
  })

  describe('what plugins do beside', () => {
    it('imports of plain pythonia are pythonia’s', async () => {
      const module = 'import proxy\ndef where(): return proxy.__file__\n'
      expect(await plain(folder, module, 'console.log(await plugin.where())')).to.include(
        'pythonia',
      )
    })
  })
})
