import { codeGenerationFault } from '@braidwork/core/internal'
import { HostError, type Log } from '@braidwork/plugin'
import { areExchangesRecorded } from './exchanges.ts'
import { Holding } from './holding.ts'
import { TABLES } from './hook-tables.ts'
import { type HookTurn, turnOf } from './main-thread.ts'
import { hasNotBegun, type Keeping, NotBegun } from './not-begun.ts'
import { PythonError, type PythonFault } from './python-error.ts'
import { PythonProcess } from './python-process.ts'
import { PythonStream } from './python-stream.ts'
import type { Message } from './pythonia.ts'
import { lineOf } from './records.ts'
import { Turns } from './turns.ts'
import { LONGEST_START_MS, type Python } from './venvs/index.ts'

export interface InterpreterOptions {
  readonly executable: string
  readonly log: Log
  /** Milliseconds within which the process must start. */
  readonly startMs?: number
}

export interface RequestOptions {
  /** The request's turn on the main thread. If it continues elsewhere, its time limit applies there. */
  readonly turn?: HookTurn
  readonly signal?: AbortSignal | undefined
  /** Whether a generator yields chunks, so that several values may be sent together. */
  readonly joins?: boolean
  /** Set if the Python side may keep data. While it keeps none, a request not begun at the end fails as NotBegun. */
  readonly keeping?: Keeping
}

/** An answer. For a generator it contains the stream of values. */
export interface Answer extends Message {
  readonly stream?: PythonStream
}

/** Receives an answer, or an error: a PythonError, or that the interpreter ended. */
export type Answered = (error: Error | undefined, answer?: Answer) => void

/** Receives messages that the Python side sends without a request, by channel name. */
export type Listener = (message: Message) => void

/** Milliseconds within which abandoned work in Python must end. */
const LONGEST_CANCEL_MS = 10_000
/** Seconds within which the main thread must react, once it comes to it. C code elsewhere may hold its lock. */
const LONGEST_REACTION_SECONDS = 1

/** One interpreter process, from start to end, with its requests. */
export class InterpreterLife {
  readonly #process: PythonProcess
  readonly #turns: Turns
  readonly #listeners: ReadonlyMap<string, Listener>
  readonly #onEnd: (error: HostError) => void
  readonly ready: Promise<void>
  readonly #streams = new Map<number, PythonStream>()
  /** Counts open requests and streams. */
  readonly #holding = new Holding((isHeld) => this.#process.hold(isHeld))
  /** The number of open requests that were abandoned. */
  #abandoned = 0
  #next = 1_000_000
  #python: Python | undefined
  dead: HostError | undefined

  constructor(
    { executable, log, startMs = LONGEST_START_MS }: InterpreterOptions,
    listeners: ReadonlyMap<string, Listener>,
    onEnd: (error: HostError) => void,
  ) {
    this.#listeners = listeners
    this.#onEnd = onEnd
    this.#process = new PythonProcess(executable, {
      onLine: (line, isError) => log(lineOf(line, isError)),
      onEnd: (error) => this.#end(error),
    })
    this.#turns = new Turns(this, this.#process)
    this.#process.com.register('braidwork', (message) => this.#onPush(message))
    this.ready = this.#start(startMs)
  }

  /** The interpreter's description of itself. It is known when `ready` has resolved. */
  get python(): Python {
    if (!this.#python)
      throw new TypeError(
        'The description of the interpreter was read before the interpreter was ready.',
      )
    return this.#python
  }

  get pid(): number | undefined {
    return this.#process.pid
  }

  /** Settles when a hook that exceeded its time has ended, or the process has. */
  get trouble(): Promise<void> | undefined {
    return this.#turns.trouble
  }

  get isDead(): boolean {
    return this.dead !== undefined
  }

  /** Sends a request. @returns the answer; rejects with a PythonError, or when the interpreter ends */
  request(key: string, value: object, options: RequestOptions = {}): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.ask(key, JSON.stringify(value), options, (error, answer) =>
        error === undefined ? resolve(answer as Answer) : reject(error),
      )
    })
  }

  /** Like `request`, for chunks: the content is JSON already, and a callback replaces the promise. */
  ask(key: string, json: string, options: RequestOptions, answered: Answered): void {
    const request = this.#next++
    this.#holding.begin()
    const { turn } = options
    if (turn) this.#turns.enter(request, turn, options.signal)
    const told = turn?.isTold ? '"b":1,' : ''
    const line = `{"r":${request},"action":"braidwork","ffid":0,"key":"${key}",${told}"val":${json}}`
    this.#process.com.writeRaw(line, request, (message) => {
      if (turn) this.#turns.leave(request)
      this.#holding.end()
      if (hasNotBegun(message, options)) answered(new NotBegun())
      else if ('err' in message) answered(new PythonError(message['err'] as PythonFault))
      else if ('dead' in message) answered(message['dead'] as HostError)
      // Open the stream at once: its first values may be in the next line.
      else if ('g' in message) answered(undefined, { stream: this.#openStream(request, options) })
      else answered(undefined, message)
      return undefined
    })
  }

  /** Sends a message that has no answer. */
  tell(key: string, value: unknown): void {
    const text = JSON.stringify(value)
    this.#process.com.writeRaw(
      `{"r":0,"action":"braidwork","ffid":0,"key":"${key}","val":${text}}`,
      0,
    )
  }

  /** Sends a message that the main thread must handle in time; otherwise the interpreter ends. */
  urge(key: string, value: unknown): void {
    this.ask(key, JSON.stringify(value), { turn: turnOf(LONGEST_REACTION_SECONDS) }, noop)
  }

  /** Keeps the host's process alive. Returns a function that ends that. */
  hold(): () => void {
    return this.#holding.hold()
  }

  /**
   * Handles a request that nobody waits for any more: calls `interrupt` after a second. If the work still does not end,
   * the interpreter is ended as soon as nothing else runs in it. Returns a function that ends the watch.
   */
  abandon(interrupt: () => void): () => void {
    this.#abandoned += 1
    const soft = setTimeout(interrupt, LONGEST_CANCEL_MS / 10)
    const hard = setInterval(() => {
      if (this.#abandoned >= this.#holding.open) this.#process.kill()
    }, LONGEST_CANCEL_MS)
    soft.unref()
    hard.unref()
    return () => {
      this.#abandoned -= 1
      clearTimeout(soft)
      clearInterval(hard)
    }
  }

  stop(): Promise<void> {
    return this.#process.stop()
  }

  async #start(longest: number): Promise<void> {
    const settled = this.hold()
    const timer = setTimeout(() => this.#process.kill(), longest)
    try {
      await this.#process.start()
    } catch (error) {
      throw this.dead ?? notStarted(error)
    } finally {
      clearTimeout(timer)
      settled()
    }
    const { val } = await this.request('hello', { ...TABLES, x: areExchangesRecorded() })
    this.#python = val as Python
    this.#process.ready()
  }

  #openStream(number: number, { joins = false }: RequestOptions): PythonStream {
    const stream = new PythonStream(this, number, joins)
    this.#streams.set(number, stream)
    return stream
  }

  #onPush(message: Message): undefined {
    const number = Number(message['g'])
    if (message['e'] === 'turn') this.#turns.onTurn(Number(message['r']), message['b'] === true)
    else if (message['e'] === 'item') this.#streams.get(number)?.add(message['v'])
    else if (message['e'] === 'end')
      this.#endStream(number, message['err'] as PythonFault | undefined)
    else this.#listeners.get(String(message['e']))?.(message)
  }

  #endStream(number: number, fault: PythonFault | undefined): void {
    const stream = this.#streams.get(number)
    this.#streams.delete(number)
    stream?.end(fault ? { error: new PythonError(fault) } : {})
  }

  #end(error: HostError): void {
    this.dead = error
    this.#turns.end()
    for (const stream of this.#streams.values()) stream.end({ error })
    this.#streams.clear()
    this.#onEnd(error)
  }
}

function notStarted(thrown: unknown): HostError {
  const error = codeGenerationFault(thrown, 'the bridge to it')
  const said = error instanceof Error ? error.message || error.stack : String(error)
  return new HostError('PYTHON_CRASHED', `the Python side did not start: ${said}`, { cause: error })
}

function noop(): void {
  // Nobody waits for the answer.
}
