import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import { constants } from 'node:os'
import type { Readable, Writable } from 'node:stream'
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client'
import { Problem } from '../problem.ts'
import type { Reached } from '../settings.ts'
import { oneLine, visibleCut } from '../visible.ts'
import { endWithHost } from './end-with-host.ts'
import { MessageLines, type ParseMessage } from './message-lines.ts'

/** The variables of the host that a server gets. */
const PASSED_ON = ['PATH', 'HOME', 'LANG', 'TMPDIR']
/** Milliseconds that a server has to end after its input ended, and again after SIGTERM. */
const GRACE_MS = 1_000
/** Milliseconds after a server's end in which its last output is read: a process outside its group may hold it open. */
const MOST_AFTER_MS = 200
/** The most characters of what a server wrote to stderr that are kept. */
const MOST_KEPT = 2_000

/** What the codes of Node mean for a program that does not start. */
const REASONS: { readonly [code: string]: string } = {
  ENOENT: 'there is no such program, or no such folder',
  ERR_ACCESS_DENIED:
    'Node\'s permission model allows no child processes. Run Node with "--allow-child-process" too',
}

type Child = ChildProcessByStdio<Writable, Readable, Readable>

export interface ChildOptions {
  readonly reached: Extract<Reached, { readonly kind: 'stdio' }>
  /** The most bytes of a message. */
  readonly maxBytes: number
  readonly parse: ParseMessage
  /** Receives what the server writes to stderr, and lines on stdout that are no messages. */
  readonly tell: (text: string) => void
}

/** A server as a child process that speaks over stdio, in a process group of its own that ends with the host. */
export class ChildTransport implements Transport {
  onclose?: () => void
  onerror?: (error: Error) => void
  onmessage?: Transport['onmessage']
  readonly #options: ChildOptions
  readonly #lines: MessageLines
  #child: Child | undefined
  #kept = ''
  #how = ''
  #isClosing = false
  #endedItself = false
  #fault: Problem | undefined
  #release: () => void = () => undefined
  #ended: Promise<void> = Promise.resolve()

  constructor(options: ChildOptions) {
    this.#options = options
    this.#lines = new MessageLines(options.maxBytes, options.parse)
  }

  /** Whether the server ended without being asked to. */
  get hasEnded(): boolean {
    return this.#endedItself
  }

  /** Why the host ended the server. Undefined if it did not. */
  get fault(): Problem | undefined {
    return this.#fault
  }

  /** The SDK knows a transport over stdio by this and by `stderr`. */
  get pid(): number | null {
    return this.#child?.pid ?? null
  }

  get stderr(): Readable | null {
    return this.#child?.stderr ?? null
  }

  /** How the server ended, such as "exit status 1". Empty while it runs. */
  get ending(): string {
    return this.#how
  }

  /** The end of what the server wrote to stderr, for the log. */
  get lastWords(): string {
    return this.#kept.trim()
  }

  async start(): Promise<void> {
    const { command, args, env, cwd } = this.#options.reached
    const child = await spawned({ command, cwd }, () => {
      this.#child = spawn(command, [...args], {
        cwd,
        env: { ...passedOn(), ...env },
        detached: process.platform !== 'win32',
        stdio: ['pipe', 'pipe', 'pipe'],
        windowsHide: true,
      })
      return this.#child
    })
    this.#release = endWithHost(child.pid ?? 0)
    this.#read(child)
    unref(child)
  }

  send(message: JSONRPCMessage): Promise<void> {
    const { stdin } = this.#child ?? {}
    if (!stdin?.writable)
      return Promise.reject(Object.assign(new Error('it has ended'), { code: 'EPIPE' }))
    return new Promise((resolve, reject) => {
      stdin.write(`${JSON.stringify(message)}\n`, (error) => (error ? reject(error) : resolve()))
    })
  }

  /** Ends the server: first its input, then SIGTERM, then SIGKILL. Resolves when the process has ended. */
  async close(): Promise<void> {
    const child = this.#child
    if (!child) return
    this.#isClosing = true
    child.stdin.end()
    if (await this.#endsSoon()) return
    kill(child, 'SIGTERM')
    if (await this.#endsSoon()) return
    kill(child, 'SIGKILL')
    await this.#ended
  }

  async #endsSoon(): Promise<boolean> {
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<boolean>((resolve) => {
      timer = setTimeout(() => resolve(false), GRACE_MS)
    })
    const isOver = await Promise.race([this.#ended.then(() => true), late])
    clearTimeout(timer)
    return isOver
  }

  #read(child: Child): void {
    this.#ended = new Promise((resolve) => {
      child.once('exit', (code, signal) => {
        // Whatever the server started and left behind ends too.
        kill(child, 'SIGKILL')
        this.#release()
        const end = () => resolve(this.#onEnd(child, { code, signal }))
        const late = setTimeout(end, MOST_AFTER_MS)
        child.once('close', () => {
          clearTimeout(late)
          end()
        })
      })
    })
    const fail = (error: Error) => this.onerror?.(error)
    child.on('error', fail)
    child.stdin.on('error', fail)
    child.stdout.on('data', (chunk: Buffer) => this.#onData(chunk))
    child.stderr.on('data', (chunk: Buffer) => this.#onWords(chunk.toString('utf8')))
  }

  #onEnd(child: Child, { code, signal }: Exit): void {
    if (this.#child !== child) return
    this.#child = undefined
    // A server with a fault may end just when it is asked to: its status tells.
    this.#endedItself = !this.#isClosing || (code !== null && code !== 0)
    this.#how = code === null ? `the signal ${signal}` : `exit status ${code}`
    this.onclose?.()
  }

  #onData(chunk: Buffer): void {
    try {
      for (const message of this.#lines.read(chunk, (line) => this.#onNoise(line)))
        this.onmessage?.(message)
    } catch (error) {
      if (error instanceof Problem) this.#fault ??= error
      this.onerror?.(error as Error)
      if (this.#child) kill(this.#child, 'SIGKILL')
    }
  }

  #onNoise(line: string): void {
    this.#options.tell(`wrote a line to stdout that is no message: ${oneLine(line)}`)
  }

  #onWords(text: string): void {
    this.#kept = visibleCut(`${this.#kept}${text}`.slice(-MOST_KEPT), MOST_KEPT)
    this.#options.tell(oneLine(text))
  }
}

/** How a process ended. */
interface Exit {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
}

function passedOn(): { readonly [name: string]: string } {
  return Object.fromEntries(
    PASSED_ON.flatMap((name) => {
      const value = process.env[name]
      return value === undefined ? [] : [[name, value]]
    }),
  )
}

/** Waits until a child runs. @throws {Problem} */
async function spawned(program: Program, start: () => Child): Promise<Child> {
  try {
    const child = start()
    await once(child, 'spawn')
    return child
  } catch (error) {
    throw notStarted(program, error as NodeJS.ErrnoException)
  }
}

interface Program {
  readonly command: string
  readonly cwd: string
}

function notStarted(
  { command, cwd }: Program,
  { code = '', message }: NodeJS.ErrnoException,
): Problem {
  const why = REASONS[code] ?? message
  return new Problem(`"${oneLine(command)}" could not be started in "${oneLine(cwd)}": ${why}`)
}

/** A server without a call must not keep the process of the host alive. */
function unref(child: Child): void {
  child.unref()
  for (const stream of [child.stdin, child.stdout, child.stderr])
    (stream as unknown as { unref(): void }).unref()
}

function kill({ pid }: Child, signal: NodeJS.Signals): void {
  if (pid === undefined) return
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, constants.signals[signal])
  } catch {
    // The group has no processes left.
  }
}
