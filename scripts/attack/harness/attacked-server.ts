import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { getPriority, setPriority, tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { bundledProgram } from '../../../test/helpers/bundled-program.ts'
import type { InstalledCommand } from '../../install/packed.ts'
import type { InsideQuestion, MemoryUse } from './inside.ts'

/** Milliseconds for the start, for a reply from inside, and for the end. */
const START = 30_000
const ANSWER = 120_000
const END = 10_000
/** The lowest priority: a process with it runs only when no other process needs the CPU. */
const LAST_PRIORITY = 19
/** The number of log lines that are kept. */
const LOG = 50

/** A config. `server` contains everything except the store, which is an SQLite file in a folder of its own. */
export interface AttackedConfig {
  readonly server: object
  readonly [key: string]: unknown
}

export interface StartOptions {
  /** The folder of the database; by default a temporary one. */
  readonly place?: string
  readonly execArgv?: readonly string[]
}

/** `braidwork serve` as a separate process, with code inside that reports its memory. */
export class AttackedServer {
  readonly url: string
  readonly #child: ChildProcess
  readonly #own: Own

  private constructor(url: string, child: ChildProcess, own: Own) {
    this.url = url
    this.#child = child
    this.#own = own
  }

  static async start(
    { folder: cwd, command }: InstalledCommand,
    { server, ...config }: AttackedConfig,
    { place, execArgv = [] }: StartOptions = {},
  ): Promise<AttackedServer> {
    const folder = await mkdtemp(join(tmpdir(), 'braidwork-attacked-'))
    const file = join(folder, 'braidwork.json')
    const store = join(place ?? folder, 'conversations.db')
    await writeFile(file, JSON.stringify({ ...config, server: { ...server, store } }))
    const inside = await bundledProgram(fileURLToPath(new URL('./inside.ts', import.meta.url)))
    const before = ['--expose-gc', ...execArgv, '--import', pathToFileURL(inside).href]
    const args = [...before, command, 'serve', '--port', '0', '--config', file]
    const child = spawn(process.execPath, args, {
      cwd,
      env: { ...process.env, NODE_OPTIONS: '', XDG_CONFIG_HOME: folder },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    })
    const own = { folder, log: lastLines(child) }
    try {
      return new AttackedServer(await firstLine(child), child, own)
    } catch (error) {
      child.kill('SIGKILL')
      await remove(own)
      throw new Error(`The server did not begin: ${own.log.join('\n')}`, { cause: error })
    }
  }

  get pid(): number {
    return this.#child.pid as number
  }

  /** The last lines of its log. */
  get log(): readonly string[] {
    return this.#own.log
  }

  get hasEnded(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null
  }

  /** Its memory use after a garbage collection. */
  memory(): Promise<MemoryUse> {
    return this.#ask({})
  }

  /** Steps its wall clock by this many milliseconds. */
  async stepClock(milliseconds: number): Promise<void> {
    await this.#ask({ step: milliseconds })
  }

  /** Resets `peak`. */
  forgetPeak(): void {
    writeFileSync(`/proc/${this.pid}/clear_refs`, '5')
  }

  /** The bytes of physical memory that it uses now. */
  get rss(): number {
    return this.#bytesOf('VmRSS')
  }

  /** The maximum number of bytes of physical memory since the last reset. */
  get peak(): number {
    return this.#bytesOf('VmHWM')
  }

  #bytesOf(name: string): number {
    const status = readFileSync(`/proc/${this.pid}/status`, 'utf8')
    return Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1]) * 1024
  }

  /** Stops it with a signal, and kills it if that takes too long. @returns whether the signal was enough */
  async stop(): Promise<boolean> {
    const ended = this.hasEnded ? Promise.resolve() : once(this.#child, 'exit')
    const late = setTimeout(() => this.#child.kill('SIGKILL'), END)
    this.#child.kill('SIGTERM')
    await ended
    clearTimeout(late)
    await remove(this.#own)
    return this.#child.exitCode === 0
  }

  async #ask(question: InsideQuestion): Promise<MemoryUse> {
    if (this.hasEnded) throw new Error(`The server has ended: ${this.log.join('\n')}`)
    const over = new AbortController()
    const signal = AbortSignal.any([over.signal, AbortSignal.timeout(ANSWER)])
    const answered = once(this.#child, 'message', { signal })
    const ended = once(this.#child, 'exit', { signal })
    this.#child.send(question)
    try {
      const [use] = (await Promise.race([answered, ended])) as [MemoryUse | number | null]
      if (typeof use === 'object' && use) return use
    } finally {
      over.abort()
      await Promise.allSettled([answered, ended])
    }
    throw new Error(`The server ended: ${this.log.join('\n')}`)
  }
}

interface Own {
  readonly folder: string
  readonly log: string[]
}

/** Lowers the priority of a process below that of the server and the measuring processes. */
export function yieldToOthers(pid: number): void {
  setPriority(pid, Math.min(LAST_PRIORITY, getPriority() + 10))
}

function lastLines(child: ChildProcess): string[] {
  const log: string[] = []
  if (child.stderr) {
    createInterface(child.stderr).on('line', (line) => {
      log.push(line)
      if (log.length > LOG) log.shift()
    })
  }
  return log
}

async function firstLine(child: ChildProcess): Promise<string> {
  if (!child.stdout) throw new Error('There is no standard output.')
  const [line] = (await Promise.race([
    once(createInterface(child.stdout), 'line', { signal: AbortSignal.timeout(START) }),
    once(child, 'exit'),
  ])) as [unknown]
  if (typeof line !== 'string') throw new Error(`It ended with ${String(line)}.`)
  return line
}

async function remove({ folder }: Own): Promise<void> {
  await rm(folder, { recursive: true, force: true })
}
