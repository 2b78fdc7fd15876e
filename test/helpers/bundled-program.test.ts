import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { bundledProgram } from './bundled-program.ts'
import { ROOT } from './source-files.ts'

describe('a bundled program', () => {
  async function outputOf(text: string): Promise<string> {
    const args = [await bundledProgram(text), 'word']
    return (await promisify(execFile)(process.execPath, args)).stdout
  }

  it('has its sources and their places, its arguments, and the packages of the repository', async () => {
    const text = `import { ROOT } from './test/helpers/source-files.ts'
      import { VERSION } from '@braidwork/plugin'
      const [word]: string[] = process.argv.slice(2)
      console.log(JSON.stringify([ROOT, typeof VERSION, word]))`
    expect(JSON.parse(await outputOf(text))).to.deep.equal([ROOT, 'string', 'word'])
  })

  it('loads a package only when the source does that imports it', async () => {
    const text = `import Module from 'node:module'
      const has = () => Object.keys(Module._cache).some((path) => path.includes('semver'))
      const before = has()
      await import('./src/cli/packages/version-range.ts')
      console.log(before, has())`
    expect(await outputOf(text)).to.equal('false true\n')
  })
})
