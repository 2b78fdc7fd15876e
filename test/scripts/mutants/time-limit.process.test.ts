import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { expect } from 'chai'
import { runNode } from '../../../scripts/mutants/process.ts'
import { bundledProgram } from '../../helpers/bundled-program.ts'
import { ROOT } from '../../helpers/source-files.ts'

const pause = (ms: number) => new Promise((done) => setTimeout(done, ms))

/** Runs a short program with a limit of three seconds, and prints "ready" and whether it hung. */
const SUSPENDED = `
import { runNode } from ${JSON.stringify(join(ROOT, 'scripts/mutants/process.ts'))}
const args = ['-e', 'setTimeout(() => undefined, 1200)']
const running = runNode({ cwd: '.', args, limitMs: 3000 })
console.log('ready')
console.log((await running).hung)
`

describe('a program with a time limit', function () {
  this.timeout(30_000)

  it('is killed when its time is over', async () => {
    const args = ['-e', 'setInterval(() => undefined, 1000)']
    expect((await runNode({ cwd: ROOT, args, limitMs: 300 })).hung).to.equal(true)
  })

  it('is not blamed for the time in which the whole machine was suspended', async () => {
    const args = [await bundledProgram(SUSPENDED)]
    const runner = spawn(process.execPath, args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'ignore'] })
    let said = ''
    for await (const text of runner.stdout) {
      said += String(text)
      if (said !== 'ready\n') continue
      runner.kill('SIGSTOP')
      await pause(4000)
      runner.kill('SIGCONT')
    }
    expect(said).to.equal('ready\nfalse\n')
  })
})
