import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { bundledProgram } from '../helpers/bundled-program.ts'

const run = promisify(execFile)
const bundled = (program: URL) => bundledProgram(fileURLToPath(program))

/** What a program of its own holds in memory. */
describe('a file of SQLite', () => {
  let folder: string
  let path: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'braidwork-sqlite-'))
    path = join(folder, 'data.db')
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  it('is all that keeps large values: what was stored is not held in memory too', async function () {
    this.timeout(60_000)
    const program = await bundled(new URL('hold-large-values.ts', import.meta.url))
    const { stdout } = await run(process.execPath, [program, path])
    // Four of 40 were stored.
    expect(Number(stdout), 'mebibytes').to.be.below(80)
  })

  it('holds few statements, however many lengths the lists have that it is given', async function () {
    this.timeout(60_000)
    const program = await bundled(new URL('hold-batches.ts', import.meta.url))
    const { stdout } = await run(process.execPath, [program, path])
    expect(Number(stdout), 'mebibytes').to.be.below(20)
  })
})
