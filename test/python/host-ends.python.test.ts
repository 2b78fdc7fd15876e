import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect } from 'chai'
import { isAlive, waitForEnd } from '../helpers/processes.ts'
import { eachPythonFolder, type PythonFolder } from '../helpers/python-hosts.ts'
import { ROOT } from '../helpers/source-files.ts'

/** Says who it is and whom it has started, goes into C, and holds the interpreter's lock there. */
const IN_C = `
import os, subprocess
kind = "feature"
name = "in-c"

def edit_messages(messages, state):
    stubborn = subprocess.Popen(["sh", "-c", "trap '' HUP INT TERM; while :; do sleep 600; done"])
    print(os.getpid(), subprocess.Popen(["sleep", "600"]).pid, stubborn.pid, flush=True)
    sum(range(10**12))
    return messages
`

/** A program of a host whose plugin is in C; what it does then, after it has said which processes there are. */
function programOf(plugin: string, ending: string): string {
  return `
import { isMainThread, parentPort, Worker } from 'node:worker_threads'
import { createHost } from ${JSON.stringify(join(ROOT, 'src', 'core', 'dist', 'index.js'))}
const provider = ${JSON.stringify(join(ROOT, 'providers', 'scripted'))}
async function hang() {
  let host
  const said = new Promise((resolve) => {
    const log = ({ message }) => /^\\d+ \\d+ \\d+$/.test(message) && resolve([host, message])
    createHost({ plugins: [provider, ${JSON.stringify(plugin)}], log }).then((made) => {
      host = made
      host.send({}, 'hi').catch(() => undefined)
    })
  })
  return said
}
const stay = setInterval(() => undefined, 60_000)
${ending}
`
}

const HERE = `const [host, said] = await hang()
console.log(said)
`

/** Ways in which a host ends, and whether its process stays. */
const ENDINGS: readonly (readonly [title: string, ending: string, stays?: boolean])[] = [
  ['calls process.exit', `${HERE}process.exit(0)`],
  ['has an error that nobody catches', `${HERE}setTimeout(() => { throw new Error('lost') })`],
  ['aborts', `${HERE}process.abort()`],
  ['kills itself', `${HERE}process.kill(process.pid, 'SIGKILL')`],
  ['closes', `${HERE}await host.close(); console.log('closed')`, true],
  [
    'is in a worker thread that is ended',
    `if (isMainThread) {
      const worker = new Worker(new URL(import.meta.url))
      worker.once('message', async (said) => {
        console.log(said)
        await worker.terminate()
        console.log('closed')
      })
    } else {
      const [, said] = await hang()
      parentPort.postMessage(said)
    }`,
    true,
  ],
]

describe('an interpreter in C that holds its lock, and what its plugin has started', function () {
  this.timeout(60_000)
  let folder: PythonFolder
  const programs: ChildProcess[] = []
  eachPythonFolder((made) => {
    folder = made
  })
  afterEach(() => {
    for (const program of programs.splice(0)) program.kill('SIGKILL')
  })

  async function start(ending: string) {
    const plugin = await folder.write('in_c.py', IN_C)
    const program = await folder.write('program.mjs', programOf(plugin, ending))
    const child = spawn(process.execPath, [program], {
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    programs.push(child)
    return { child, lines: createInterface({ input: child.stdout })[Symbol.asyncIterator]() }
  }

  for (const [title, ending, stays = false] of ENDINGS) {
    it(`end with a host that ${title}`, async () => {
      const { child, lines } = await start(ending)
      const exit = once(child, 'exit')
      const pids = String((await lines.next()).value)
        .split(' ')
        .map(Number)
      expect(pids).to.have.lengthOf(3)
      if (stays) expect((await lines.next()).value).to.equal('closed')
      else await exit
      expect(await waitForEnd(pids)).to.deep.equal([])
      expect(child.exitCode === null && child.signalCode === null).to.equal(stays)
    })
  }

  it('end with a host whose watcher was told to end, or was killed', async () => {
    const { child, lines } = await start(HERE)
    const pids = String((await lines.next()).value)
      .split(' ')
      .map(Number)
    const [first = 0] = childrenOf(child).filter((pid) => !pids.includes(pid))
    // Signals to 0 would go to the process of this test.
    expect(first).to.be.above(0)
    process.kill(first, 'SIGTERM')
    process.kill(first, 'SIGKILL')
    // The next one begins as soon as the host hears of it.
    let next: number | undefined
    for (const end = Date.now() + 20_000; !next && Date.now() < end; ) {
      next = childrenOf(child).find((pid) => pid !== first && !pids.includes(pid))
      await new Promise(setImmediate)
    }
    expect(next).to.be.a('number')
    expect(pids.map(isAlive)).to.deep.equal([true, true, true])
    child.kill('SIGKILL')
    expect(await waitForEnd(pids)).to.deep.equal([])
  })
})

function childrenOf({ pid }: ChildProcess): readonly number[] {
  const { stdout } = spawnSync('ps', ['-A', '-o', 'ppid=,pid='], { encoding: 'utf8' })
  const pairs = stdout
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
  return pairs.flatMap(([parent, child = 0]) => (parent === pid ? [child] : []))
}
