import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { bundledProgram } from '../../../helpers/bundled-program.ts'

const OTHER_WAY = new URL('../other-way.ts', import.meta.url)

describe('the client of the SDKs', () => {
  const run = async (way: string): Promise<string> => {
    const program = await bundledProgram(fileURLToPath(OTHER_WAY))
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
