import { type ChildProcess, spawn } from 'node:child_process'
import type { Socket } from 'node:net'
import type { Duplex, Readable } from 'node:stream'
import { setImmediate } from 'node:timers'
import { setTimeout as delay } from 'node:timers/promises'
import { HostError } from '@braidwork/plugin'
import { SocketCom } from './com.ts'
import { linesOf } from './lines.ts'
import { endGroup, signalGroup } from './process-group.ts'
import { INTERFACE, startBridge } from './pythonia.ts'
import { isBroken } from './records.ts'
import { childVariables } from './venvs/index.ts'
import { endWithHost } from './watcher.ts'

/** Events of a running process. */
export interface ProcessEvents {
  /** Called for a line that a plugin printed. */
  onLine(line: string, isError: boolean): void
  /** Called when the process ended, on request or not. */
  onEnd(error: HostError): void
}

/** The file descriptor for messages on the Python side. */
const CHANNEL_FD = 3
/** Ignore Python variables and the user's site folder, and do not buffer, so that the code runs the same everywhere. */
const FLAGS = ['-E', '-s', '-u', '-X', 'utf8']
/** Milliseconds to wait for the last output. It may arrive late, and a detached process may keep the pipes open. */
const LAST_WORDS_MS = 300
/** Milliseconds for an interpreter to end by itself. */
const LONGEST_STOP_MS = 1000
/** The most of the last lines before it was ready that the error of an interpreter quotes. */
const MOST_START_LINES = 20
/** The exit status of an interpreter that the shim ended, and the longest reason that it gives; see vitals.py. */
const BROKEN_STATUS = 'exit status 70'
const LONGEST_REASON = 160

/** An interpreter process in its own process group, with the bridge started in it. */
export class PythonProcess {
  readonly com: SocketCom
  readonly #child: ChildProcess
  readonly #socket: Duplex
  readonly #events: ProcessEvents
  readonly ended: Promise<void>
  /** What the interpreter wrote to stderr before it was ready: no plugin, and so no request, is in it. */
  #startWords: string[] | undefined = []
  /** The shim's last line on why it ends the interpreter. */
  #broken = ''
  #isStopping = false

  constructor(executable: string, events: ProcessEvents) {
    this.#events = events
    this.#child = spawn(executable, [...FLAGS, INTERFACE], {
      // Own process group: processes that plugins start end with it, and Ctrl-C in the terminal goes only to the host.
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
    // The pipes of a child process are sockets, which would keep the host's process alive.
    for (const pipe of this.#child.stdio as readonly (Socket | null)[]) pipe?.unref()
    this.hold(false)
  }

  get pid(): number | undefined {
    return this.#child.pid
  }

  start(): Promise<void> {
    return startBridge(this.com)
  }

  /** From now on plugins run, so the output may quote requests, and only the log has it. */
  ready(): void {
    this.#startWords = undefined
  }

  /** Whether the process keeps the host's own process alive: only while it has work. */
  hold(isHeld: boolean): void {
    if (isHeld) this.#child.ref()
    else this.#child.unref()
  }

  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal)
  }

  /** Kills the process and all processes that its plugins started. */
  kill(): void {
    signalGroup(this.pid, 'SIGKILL')
    this.#child.kill('SIGKILL')
  }

  /** Lets the process end by itself; kills it if it does not. */
  async stop(): Promise<void> {
    this.#isStopping = true
    this.hold(true)
    this.#socket.end()
    const timer = setTimeout(() => this.kill(), LONGEST_STOP_MS)
    await this.ended
    clearTimeout(timer)
  }

  /** Settles when the process, and all that its plugins started, have ended. */
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
    // Read all answers before reporting the end.
    await new Promise(setImmediate)
    this.#end(reason)
  }

  #end(reason: string): void {
    const said = this.#isStopping ? '' : (this.#startWords ?? []).join('\n').slice(-2000)
    const last = said === '' ? '' : ` Its last output:\n${said}`
    const why = reason === BROKEN_STATUS && this.#broken !== '' ? `: ${this.#broken}` : ''
    const error = new HostError(
      'PYTHON_CRASHED',
      `the Python interpreter ended (${reason}${why}); the next request restarts it.${last}`,
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
    if (isError && this.#startWords?.push(line) === MOST_START_LINES + 1) this.#startWords.shift()
    if (isError && isBroken(line)) this.#broken = line.slice(0, LONGEST_REASON)
    this.#events.onLine(line, isError)
  }
}
