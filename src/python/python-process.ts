import { type ChildProcess, spawn } from 'node:child_process'
import type { Socket } from 'node:net'
import type { Duplex, Readable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import { HostError } from '@braidwork/plugin'
import { SocketCom } from './com.ts'
import { childVariables } from './find-python.ts'
import { linesOf } from './lines.ts'
import { endGroup, signalGroup } from './process-group.ts'
import { INTERFACE, startBridge } from './pythonia.ts'
import { endWithHost } from './watcher.ts'

/** What a process says of itself while it runs. */
export interface ProcessEvents {
  /** A line that a plugin printed. */
  onLine(line: string, isError: boolean): void
  /** It ended, on request or not. */
  onEnd(error: HostError): void
}

/** Where messages are on the other side. */
const CHANNEL_FD = 3
/** Not on the environment, the user's site or a buffer: what runs is the same everywhere. */
const FLAGS = ['-E', '-s', '-u', '-X', 'utf8']
/** What it wrote last may come after its end; one that has left its group may hold the pipes open. */
const LAST_WORDS_MS = 300
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
    this.#child = spawn(executable, [...FLAGS, INTERFACE], {
      // Of its own, so that what plugins start ends with it, and the terminal's Ctrl-C is the host's.
      detached: true,
      env: { ...childVariables(), NODE_CHANNEL_FD: `${CHANNEL_FD}` },
      stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
      windowsHide: true,
    })
    const [, out, err, socket] = this.#child.stdio
    this.#socket = socket as Duplex
    this.com = new SocketCom(this.#socket, (line) => events.onLine(line, true))
    this.#read(out as Readable, false)
    this.#read(err as Readable, true)
    this.ended = this.#watchEnd()
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
    signalGroup(this.pid, 'SIGKILL')
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

  /** Settles when it has ended, and what its plugins started with it. */
  async #watchEnd(): Promise<void> {
    const { pid } = this.#child
    const closed = new Promise((resolve) => void this.#child.once('close', resolve))
    const forget = pid === undefined ? () => undefined : endWithHost(pid)
    const reason = await new Promise<string>((resolve) => {
      this.#child.once('error', (error) => resolve(error.message))
      this.#child.once('exit', (code, signal) =>
        resolve(signal === null ? `exit status ${code}` : signal),
      )
    })
    if (this.#isStopping) await endGroup(pid)
    else signalGroup(pid, 'SIGKILL')
    forget()
    await Promise.race([closed, delay(LAST_WORDS_MS)])
    // Whatever it has answered is read before its end is told.
    await new Promise(setImmediate)
    this.#end(reason)
  }

  #end(reason: string): void {
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
  }

  #read(stream: Readable, isError: boolean): void {
    stream.setEncoding('utf8')
    stream.on('error', () => undefined)
    stream.on(
      'data',
      linesOf((line) => this.#onLine(line, isError)),
    )
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
