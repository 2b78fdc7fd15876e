import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect } from 'chai'
import { bundledProgram } from '../helpers/bundled-program.ts'
import { isAlive, waitForEnd } from '../helpers/processes.ts'
import { ROOT } from '../helpers/source-files.ts'

/** A program that starts a group that stays, has it ended with itself, and prints the group and its own fate. */
function programOf(setUp: string): string {
  return `
import { spawn } from 'node:child_process'
import { endWithHost, WATCHERS } from ${JSON.stringify(join(ROOT, 'src/python/watcher.ts'))}
const stay = setInterval(() => undefined, 60_000)
const pause = (ms) => new Promise((done) => setTimeout(done, ms))
let again = () => undefined
${setUp}
const { pid } = spawn('sleep', ['600'], { detached: true, stdio: 'ignore' })
endWithHost(pid)
console.log(pid)
await pause(700)
again(pid)
await pause(200)
process.kill(process.pid, 'SIGKILL')
`
}

async function runProgram(setUp: string): Promise<{ group: number; signal: string | null }> {
  const args = [await bundledProgram(programOf(setUp))]
  const program = spawn(process.execPath, args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'ignore'] })
  const limit = setTimeout(() => program.kill('SIGTERM'), 15_000)
  const ended = once(program, 'exit') as Promise<[unknown, string | null]>
  let printed = ''
  for await (const text of program.stdout) printed += String(text)
  const [, signal] = await ended
  clearTimeout(limit)
  return { group: Number(printed), signal }
}

const NO_SHELL = `WATCHERS[0][0] = '/no/such/shell'`

describe('a host whose process groups end with it', () => {
  it('ends them where there is no shell', async () => {
    const { group, signal } = await runProgram(NO_SHELL)
    expect(await waitForEnd([group])).to.deep.equal([])
    expect(signal).to.equal('SIGKILL')
  })

  for (const [title, setUp] of [
    ['no program can watch them', `${NO_SHELL}; WATCHERS[1][0] = '/no/such/node'`],
    [
      'the watcher reads nothing',
      `WATCHERS[0].splice(1, 2, '-c', 'exec <&-; sleep 1'); again = endWithHost`,
    ],
  ] as const) {
    it(`goes on where ${title}`, async () => {
      const { group, signal } = await runProgram(setUp)
      if (isAlive(group)) process.kill(-group, 'SIGKILL')
      expect(signal).to.equal('SIGKILL')
    })
  }
})
