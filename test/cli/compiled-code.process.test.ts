import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import module from 'node:module'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect } from 'chai'
import { braidwork, type Ran } from './command.ts'

const BIN = resolve(import.meta.dirname, '../../src/cli/bin/braidwork.js')

describe('the compiled code that the command keeps', () => {
  let caches: string
  beforeEach(async () => {
    caches = await mkdtemp(join(tmpdir(), 'braidwork-'))
  })
  afterEach(() => rm(caches, { recursive: true }))

  const version = (folder = caches): Promise<Ran> =>
    braidwork(['--version'], { command: BIN, env: { XDG_CACHE_HOME: folder } })

  /** The files in which Node keeps code. */
  async function entries(): Promise<readonly string[]> {
    const found = await readdir(caches, { recursive: true, withFileTypes: true })
    return found.filter((one) => one.isFile()).map((one) => join(one.parentPath, one.name))
  }

  it('is in the folder of the user for caches, where Node keeps any', async () => {
    await version()
    const files = await entries()
    expect(files.length > 1).to.equal('enableCompileCache' in module)
    for (const file of files) expect(file).to.include(join(caches, 'braidwork', 'compiled'))
  })

  it('is made anew where it is damaged, empty or of another file', async function () {
    if (!('enableCompileCache' in module)) {
      if (this.test) this.test.title += ` (skipped: Node ${process.version} keeps no code)`
      this.skip()
    }
    const whole = await version()
    const files = await entries()
    const [first = '', last = ''] = [files[0], files.at(-1)]
    const damages = [(): string => '', (): Buffer => Buffer.alloc(5000, 'x')]
    for (const damage of damages) {
      for (const file of files) await writeFile(file, damage())
      expect(await version()).to.deep.equal(whole)
    }
    await version()
    await writeFile(first, await readFile(last))
    await writeFile(last, (await readFile(last)).subarray(0, 200))
    expect(await version()).to.deep.equal(whole)
  })

  it('is not needed: the command starts where nothing can be written, and where nobody has a home', async () => {
    const whole = await version()
    expect(whole).to.include({ status: 0, err: '' })
    expect(await version('/dev/null/caches')).to.deep.equal(whole)
    expect(await version('not/absolute')).to.deep.equal(whole)
    const env = { XDG_CACHE_HOME: '', HOME: '/dev/null' }
    expect(await braidwork(['--version'], { command: BIN, env })).to.deep.equal(whole)
  })
})
