import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { bundledProgram } from '../../../helpers/bundled-program.ts'

describe('the client of the SDKs', () => {
  const run = async (way: string): Promise<string> => {
    const program = await bundledProgram(join(import.meta.dirname, '..', 'other-way.ts'))
    const { stdout } = await promisify(execFile)(process.execPath, [program, way])
    return stdout
  }

  it('is the dispatcher that the application has set', async () => {
    expect(await run('dispatcher')).to.equal('answered by the dispatcher')
  })

  it('is Node’s HTTP client in a process without `fetch`, and `fetch` is not loaded for it', async () => {
    expect(await run('http')).to.equal('answered over HTTP, fetch is not loaded')
  })

  it('is that of `fetch` after a hundred requests of a process', async () => {
    expect(await run('many')).to.equal('answered over HTTP, fetch is loaded')
  })
})
