import { execFileSync } from 'node:child_process'
import { expect } from 'chai'
import { bundledProgram } from '../helpers/bundled-program.ts'
import { ROOT } from '../helpers/source-files.ts'

describe('a Python plugin', function () {
  this.timeout(30_000)

  it('is what pythonia is loaded for: not before', async () => {
    const program = `
      import { createHost } from './src/core/index.ts'
      import { createRequire } from 'node:module'
      const host = await createHost({ plugins: ['./providers/scripted'] })
      await host.send({}, 'hello')
      await host.close()
      const loaded = Object.keys(createRequire(import.meta.url).cache)
      console.log(loaded.filter((path) => path.includes('pythonia')).length)`
    const args = [await bundledProgram(program)]
    const output = execFileSync(process.execPath, args, { cwd: ROOT, encoding: 'utf8' })
    expect(output.trim()).to.equal('0')
  })
})
