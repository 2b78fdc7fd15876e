import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { AGENTS, type ManyAgents, STEPS } from './many-agents.ts'

const PROGRAM = fileURLToPath(new URL('./many-agents.ts', import.meta.url))

describe(`${AGENTS} agents at once, each with ${STEPS} steps`, function () {
  this.timeout(300_000)

  it('have each its own results, none waits long for the others, and their memory is freed', async () => {
    const options = ['--expose-gc', '--import', 'tsx', PROGRAM, 'run']
    const { stdout } = await promisify(execFile)(process.execPath, options)
    const { wrong, seconds, median, slowest, heap } = JSON.parse(stdout) as ManyAgents
    const ratio = slowest / median
    process.stdout.write(
      `      ${seconds.toFixed(2)} s; slowest/median ${ratio.toFixed(2)}; heap ${(heap / 2 ** 20).toFixed(2)} MB\n`,
    )
    expect(wrong).to.deep.equal([])
    expect(ratio).to.be.at.most(2)
    expect(heap).to.be.at.most(10 * 2 ** 20)
  })
})
