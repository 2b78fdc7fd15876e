import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import { expect } from 'chai'
import { startedProcesses } from '../../scripts/tests/processes.ts'
import { loaded } from '../helpers/running-program.ts'

const MARK = `BRAIDWORK_TESTS_OF=${process.pid}`

/** A process without an environment, whose parent has ended. With a line of input it goes on as `sleep`, with the mark. */
class Orphan {
  readonly pid: number
  readonly #input: Writable

  private constructor(pid: number, { stdio }: ChildProcess) {
    this.pid = pid
    // Node.js closes the standard input of a process that ends: the orphan has it from its parent.
    this.#input = stdio[3] as Writable
  }

  static async start(): Promise<Orphan> {
    const script = 'echo "$$"; read line; export "$0"; exec sleep 1003'
    const parent = spawn('sh', ['-c', `env -i setsid sh -c '${script}' "$1" <&3 &`, 'sh', MARK], {
      stdio: ['ignore', 'pipe', 'ignore', 'pipe'],
    })
    const exited = once(parent, 'exit')
    const [pid] = (await once(createInterface(parent.stdout as Readable), 'line')) as [string]
    await exited
    return new Orphan(Number(pid), parent)
  }

  goOn(): void {
    this.#input.write('\n')
  }

  end(): void {
    this.#input.destroy()
    process.kill(this.pid, 'SIGKILL')
  }
}

describe('the processes that a test file started', () => {
  before(function () {
    if (!existsSync('/proc/self/environ')) this.skip()
  })

  it('have one that had no environment at first: it was loading its program', async () => {
    const orphan = await Orphan.start()
    const found = () => startedProcesses().find(({ pid }) => pid === orphan.pid)?.command
    try {
      for (let look = 0; look < 3; look++) expect(found()).to.equal(undefined)
      orphan.goOn()
      await loaded(orphan.pid, 'sleep 1003')
      expect(found()).to.equal('sleep 1003')
    } finally {
      orphan.end()
    }
  })
})
