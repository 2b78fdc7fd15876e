import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { expect } from 'chai'
import { isGone } from '../../../src/server/runs/process-holder.ts'
import { bundledProgram } from '../../helpers/bundled-program.ts'

/** Prints the name of its holder, and lives on. */
const PROGRAM = `
  import { holderOfThisProcess } from './src/server/runs/process-holder.ts'
  process.stdout.write(holderOfThisProcess('child'))
  setInterval(() => undefined, 1000)
`

describe('the holder of a process', () => {
  const children: ChildProcess[] = []

  before(function () {
    if (existsSync('/proc/self/stat')) return
    process.stderr.write('Tests of gone processes are skipped: this system has no /proc\n')
    this.skip()
  })

  afterEach(() => {
    for (const child of children.splice(0)) child.kill('SIGKILL')
  })

  async function holderOfChild() {
    const args = [await bundledProgram(PROGRAM)]
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
    children.push(child)
    const [name] = (await once(child.stdout, 'data')) as [Buffer]
    return { child, holder: String(name) }
  }

  it('is not gone while its process lives, and is once that was killed', async () => {
    const { child, holder } = await holderOfChild()
    expect(isGone(holder)).to.equal(false)
    child.kill('SIGKILL')
    await once(child, 'exit')
    expect(isGone(holder)).to.equal(true)
  })
})
