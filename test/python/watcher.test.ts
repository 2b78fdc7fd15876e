import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect } from 'chai'
import { WATCHERS } from '../../src/python/watcher.ts'
import { isAlive, waitForEnd } from '../helpers/processes.ts'
import { ROOT } from '../helpers/source-files.ts'

describe('a watcher', () => {
  const started: ChildProcess[] = []
  afterEach(() => {
    for (const child of started.splice(0)) child.kill('SIGKILL')
  })

  function start(command: string, args: readonly string[]): ChildProcess {
    const child = spawn(command, args, { detached: true, stdio: ['pipe', 'ignore', 'ignore'] })
    started.push(child)
    return child
  }

  const pidOf = ({ pid = 0 }: ChildProcess) => pid
  const group = () => pidOf(start('/bin/sh', ['-c', "trap '' TERM; sleep 600 & sleep 600"]))

  for (const [command, ...args] of WATCHERS) {
    it(`kills the groups that it was told of when its input ends: ${command}`, async () => {
      const [first, gone, last, untold] = [group(), group(), group(), group()]
      const watcher = start(command, args)
      watcher.stdin?.write(`+ ${first}\n+ ${gone}\n+ ${last}\n- ${gone}\n- ${untold}\n`)
      const exit = once(watcher, 'exit')
      watcher.stdin?.end()
      await exit
      expect(await waitForEnd([first, last])).to.deep.equal([])
      expect([gone, untold].map(isAlive)).to.deep.equal([true, true])
      for (const left of [gone, untold]) process.kill(-left, 'SIGKILL')
    })
  }
})

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
  const args = ['--import=tsx', '--input-type=module', '-e', programOf(setUp)]
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
