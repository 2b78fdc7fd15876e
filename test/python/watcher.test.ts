import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect } from 'chai'
import { WATCHERS } from '../../src/python/watcher.ts'
import { isAlive, waitForEnd } from '../helpers/processes.ts'

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
