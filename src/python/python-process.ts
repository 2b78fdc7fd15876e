import { type ChildProcess, spawn } from 'node:child_process'
import type { Socket } from 'node:net'
import type { Duplex, Readable } from 'node:stream'
import { HostError } from '../errors.ts'
import { SocketCom } from './com.ts'
import { childEnvironment } from './find-python.ts'
import { INTERFACE, startBridge } from './pythonia.ts'

/** What a process says of itself while it runs. */
export interface ProcessEvents {
  /** A line that a plugin printed. */
  onLine(line: string, isError: boolean): void
  /** It ended, on request or not. */
  onEnd(error: HostError): void
}

/** Where messages and the lifeline are on the other side. */
const CHANNEL_FD = 3
const LIFELINE_FD = 4
/** Not on the environment, the user's site or a buffer: what runs is the same everywhere. */
const FLAGS = ['-E', '-s', '-u', '-X', 'utf8']
/** What the process wrote last may come after its end. */
const LAST_WORDS_MS = 30
/** How long an interpreter may take to end by itself. */
const LONGEST_STOP_MS = 1000
const MOST_LAST_LINES = 20

/** One interpreter's process, in a group of its own, with the bridge started in it. */
export class PythonProcess {
  readonly com: SocketCom
  readonly #child: ChildProcess
  readonly #socket: Duplex
  readonly #events: ProcessEvents
  readonly #lastLines: string[] = []
  readonly ended: Promise<void>
  #isStopping = false

  constructor(executable: string, events: ProcessEvents) {
    this.#events = events
    const fds = { NODE_CHANNEL_FD: `${CHANNEL_FD}`, BRAIDWORK_LIFELINE: `${LIFELINE_FD}` }
    this.#child = spawn(executable, [...FLAGS, INTERFACE], {
      // Of its own, so that what plugins start ends with it, and the terminal's Ctrl-C is the host's.
      detached: true,
      env: { ...childEnvironment(), ...fds },
      stdio: ['ignore', 'pipe', 'pipe', 'pipe', 'pipe'],
      windowsHide: true,
    })
    const [, out, err, socket, lifeline] = this.#child.stdio
    this.#socket = socket as Duplex
    this.com = new SocketCom(this.#socket, (line) => events.onLine(line, true))
    this.#read(out as Readable, false)
    this.#read(err as Readable, true)
    ;(lifeline as Duplex).on('error', () => undefined)
    this.ended = new Promise((resolve) => {
      this.#child.once('error', (error) => this.#end(error.message, resolve))
      this.#child.once('exit', (code, signal) => {
        this.#killGroup()
        // Not its `close`: a child that a plugin left may hold the pipes open.
        const reason = signal === null ? `exit status ${code}` : signal
        setTimeout(() => this.#end(reason, resolve), LAST_WORDS_MS)
      })
    })
    // The pipes of a child are sockets.
    for (const pipe of this.#child.stdio as readonly (Socket | null)[]) pipe?.unref()
    this.hold(false)
  }

  get pid(): number | undefined {
    return this.#child.pid
  }

  start(): Promise<void> {
    return startBridge(this.com)
  }

  /** Whether the host's own process stays for it: only while it has something to do. */
  hold(isHeld: boolean): void {
    if (isHeld) this.#child.ref()
    else this.#child.unref()
  }

  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal)
  }

  /** Ends it and whatever its plugins started. */
  kill(): void {
    this.#killGroup()
    this.#child.kill('SIGKILL')
  }

  /** Lets it come to its end; what does not is killed. */
  async stop(): Promise<void> {
    this.#isStopping = true
    this.hold(true)
    this.#socket.end()
    const timer = setTimeout(() => this.kill(), LONGEST_STOP_MS)
    await this.ended
    clearTimeout(timer)
  }

  #killGroup(): void {
    const { pid } = this.#child
    if (pid === undefined) return
    try {
      process.kill(-pid, 'SIGKILL')
    } catch {
      // There is nobody left in it.
    }
  }

  #end(reason: string, resolve: () => void): void {
    const said = this.#isStopping ? '' : this.#lastLines.join('\n').slice(-2000)
    const last = said === '' ? '' : ` It wrote last:\n${said}`
    const error = new HostError(
      'PYTHON_CRASHED',
      `the Python interpreter ended (${reason}); it starts again with the next request.${last}`,
      { retryable: true },
    )
    for (const stream of this.#child.stdio) stream?.destroy()
    this.com.end(error)
    this.#events.onEnd(error)
    resolve()
  }

  #read(stream: Readable, isError: boolean): void {
    let rest = ''
    stream.setEncoding('utf8')
    stream.on('error', () => undefined)
    stream.on('data', (data: string) => {
      const lines = (rest + data).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) this.#onLine(line, isError)
      // A line without an end must not grow for ever.
      if (rest.length > 64_000) {
        this.#onLine(rest, isError)
        rest = ''
      }
    })
  }

  #onLine(line: string, isError: boolean): void {
    if (this.#isStopping && isError) return
    if (isError) {
      this.#lastLines.push(line)
      if (this.#lastLines.length > MOST_LAST_LINES) this.#lastLines.shift()
    }
    this.#events.onLine(line, isError)
  }
}
