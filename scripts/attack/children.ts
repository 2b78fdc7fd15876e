import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'

/** The results of an attack over several tries. */
export interface Attacked {
  readonly tried: number
  readonly held: number
  readonly detail: string
}

export interface ChildrenOptions {
  /** The program of the command; by default the latest build. */
  readonly command?: string
  readonly tries?: number
  /** The signal that ends the host. */
  readonly signal?: NodeJS.Signals
}

const COMMAND = fileURLToPath(new URL('../../src/cli/dist/command/braidwork.js', import.meta.url))
/** Milliseconds within which every process must end after its host. */
const LONGEST_MS = 2000
const LONGEST_BEGIN_MS = 60_000
const LOOK_MS = 20

/** Code that holds the interpreter's lock in C. Most of it uses a CPU core; the last one waits. */
const IN_C: readonly string[] = [
  'sum(range(10**12))',
  'pow(3, 10**9)',
  're.match(r"(a+)+$", "a" * 64 + "b")',
  'collections.deque(itertools.repeat(0), maxlen=0)',
  'ctypes.PyDLL(None).sleep(600)',
]

/** A feature plugin that starts child processes, then enters C code and does not return. */
function pluginOf(inC: string): string {
  return `
import collections, ctypes, itertools, multiprocessing, os, re, subprocess, time
kind = "feature"
name = "in_c"

def edit_messages(messages, state):
    subprocess.Popen(["sleep", "600"])
    subprocess.Popen(["sh", "-c", "trap '' HUP INT TERM; while :; do sleep 600; done"])
    multiprocessing.get_context("fork").Process(target=time.sleep, args=(600,)).start()
    open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "in-c"), "w").close()
    ${inC}
    return messages
`
}

/**
 * Ends `braidwork chat` while its Python plugin runs C code, and searches for remaining processes of the command, its
 * interpreter, and the plugin.
 */
export async function attackChildren(options: ChildrenOptions = {}): Promise<Attacked> {
  const { command = COMMAND, tries = 50, signal = 'SIGKILL' } = options
  const left: string[] = []
  let slowest = 0
  for (let at = 0; at < tries; at++) {
    const { processes, milliseconds } = await endOnce(command, IN_C[at % IN_C.length] ?? '', signal)
    slowest = Math.max(slowest, milliseconds)
    if (processes.length > 0) left.push(`try ${at + 1} left ${processes.join(', ')}`)
  }
  const detail = left.length > 0 ? left.join('; ') : `none was left after ${Math.ceil(slowest)} ms`
  return { tried: tries, held: tries - left.length, detail }
}

interface Ended {
  /** The command lines of the remaining processes. */
  readonly processes: readonly string[]
  readonly milliseconds: number
}

async function endOnce(command: string, inC: string, signal: NodeJS.Signals): Promise<Ended> {
  const folder = await mkdtemp(join(tmpdir(), 'braidwork-children-'))
  let family: readonly Process[] = []
  try {
    const host = await begin(command, folder, inC)
    family = await familyOf(host)
    if (family.length < 5) throw new Error(`only ${family.length} processes were started`)
    const exit = once(host, 'exit')
    host.kill(signal)
    const ended = await lookAfter(family)
    await exit
    return ended
  } finally {
    for (const { id } of family) kill(id)
    await rm(folder, { recursive: true })
  }
}

/** Starts the command, and waits until its plugin is about to enter C code. */
async function begin(command: string, folder: string, inC: string): Promise<ChildProcess> {
  await writeFile(join(folder, 'in_c.py'), pluginOf(inC))
  await writeFile(join(folder, 'config.json'), '{"plugins": ["./in_c.py"]}')
  const { PATH, HOME, PYTHON_BIN } = process.env
  const child = spawn(process.execPath, [command, 'chat', '--config', 'config.json', 'hi'], {
    cwd: folder,
    env: { PATH, HOME, ...(PYTHON_BIN === undefined ? {} : { PYTHON_BIN }) },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const end = performance.now() + LONGEST_BEGIN_MS
  while (!existsSync(join(folder, 'in-c'))) {
    if (child.exitCode !== null) throw new Error(`the command ended: ${child.exitCode}`)
    if (performance.now() > end) throw new Error('the plugin was not reached in time')
    await delay(LOOK_MS)
  }
  return child
}

interface Process {
  readonly id: number
  readonly parent: number
  readonly group: number
  readonly command: string
}

/** A process, its descendants, and all processes in their groups. */
async function familyOf({ pid }: ChildProcess): Promise<readonly Process[]> {
  const all = await listProcesses()
  const ids = new Set([pid])
  for (let size = 0; size < ids.size; ) {
    size = ids.size
    for (const { id, parent } of all) if (ids.has(parent)) ids.add(id)
  }
  return all.filter(({ id }) => ids.has(id))
}

/** Waits until no process of a family runs any more, nor any in the groups that its children led. */
async function lookAfter(family: readonly Process[]): Promise<Ended> {
  const ids = new Set(family.map(({ id }) => id))
  const groups = new Set(family.map(({ group }) => group).filter((group) => ids.has(group)))
  const begun = performance.now()
  for (;;) {
    const all = await listProcesses()
    const milliseconds = performance.now() - begun
    const left = all.filter(({ id, group }) => ids.has(id) || groups.has(group))
    if (left.length === 0 || milliseconds > LONGEST_MS) {
      return { processes: left.map(({ command }) => command), milliseconds }
    }
    await delay(LOOK_MS)
  }
}

/** All running processes. Zombies are left out. */
async function listProcesses(): Promise<readonly Process[]> {
  const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'pid=,ppid=,pgid=,stat=,args='])
  return stdout.split('\n').flatMap((line) => {
    const found = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line)
    if (!found || found[4]?.startsWith('Z')) return []
    const [id = 0, parent = 0, group = 0] = found.slice(1, 4).map(Number)
    return [{ id, parent, group, command: (found[5] ?? '').slice(0, 60) }]
  })
}

function kill(id: number): void {
  try {
    process.kill(id, 'SIGKILL')
  } catch {
    // The process has ended, as it should.
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const [tries = '50', signal = 'SIGKILL'] = process.argv.slice(2)
  const { tried, held, detail } = await attackChildren({
    tries: Number(tries),
    signal: signal as NodeJS.Signals,
  })
  process.stdout.write(`${signal} of the host: ${held} of ${tried} left no process; ${detail}\n`)
  process.exitCode = held === tried ? 0 : 1
}
