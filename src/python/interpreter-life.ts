import { leftOf, timerOf } from '@braidwork/core/internal'
import { HostError, type Log } from '@braidwork/plugin'
import { LONGEST_START_MS, type Python } from './find-python.ts'
import { Holding } from './holding.ts'
import { TABLES } from './hook-tables.ts'
import { MainThread, type Turn } from './main-thread.ts'
import { hasNotBegun, type Keeping, NotBegun } from './not-begun.ts'
import { PythonError, type PythonFault } from './python-error.ts'
import { PythonProcess } from './python-process.ts'
import { PythonStream } from './python-stream.ts'
import type { Message } from './pythonia.ts'

export interface InterpreterOptions {
  readonly executable: string
  readonly log: Log
  /** The longest that it may take to begin. */
  readonly startMs?: number
}

export interface RequestOptions {
  /** Its turn on the main thread; the limit of one that goes on elsewhere holds there. */
  readonly turn?: Turn
  readonly signal?: AbortSignal | undefined
  /** Whether what a generator gives is chunks, of which several may come at once. */
  readonly joins?: boolean
  /** Where the other side kept nothing yet, a request whose turn had not come at the end fails as NotBegun. */
  readonly keeping?: Keeping
}

/** An answer; a generator's has its values. */
export interface Answer extends Message {
  readonly stream?: PythonStream
}

/** Takes an answer, or the PythonError of it, or that the interpreter ended. */
export type Answered = (error: Error | undefined, answer?: Answer) => void

/** What the Python side tells without being asked, by its name. */
export type Listener = (message: Message) => void

/** How long what waits in Python may take to come to its end when nobody waits for it any more. */
const LONGEST_CANCEL_MS = 10_000

/** One process's life: requests, and what is open in it. */
export class InterpreterLife {
  readonly #process: PythonProcess
  readonly #main: MainThread
  readonly #listeners: ReadonlyMap<string, Listener>
  readonly #onEnd: (error: HostError) => void
  readonly ready: Promise<void>
  readonly #streams = new Map<number, PythonStream>()
  /** Requests and streams that are open. */
  readonly #holding = new Holding((isHeld) => this.#process.hold(isHeld))
  /** Those of them that nobody waits for any more. */
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
      onLine: (message, isError) =>
        log({ level: isError ? 'warn' : 'info', message, from: 'python' }),
      onEnd: (error) => this.#end(error),
    })
    this.#main = new MainThread(this.#process)
    this.#process.com.register('braidwork', (message) => this.#onPush(message))
    this.ready = this.#start(startMs)
  }

  /** What it says that it is; known when it is ready. */
  get python(): Python {
    if (!this.#python)
      throw new TypeError('An interpreter was asked what it is before it was ready.')
    return this.#python
  }

  get pid(): number | undefined {
    return this.#process.pid
  }

  /** Settles when a hook that hangs has ended, or the process with it. */
  get trouble(): Promise<void> | undefined {
    return this.#main.trouble
  }

  get isDead(): boolean {
    return this.dead !== undefined
  }

  /** Asks for something; the answer's message, or a PythonError, or that the interpreter ended. */
  request(key: string, value: object, options: RequestOptions = {}): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.ask(key, JSON.stringify(value), options, (error, answer) =>
        error === undefined ? resolve(answer as Answer) : reject(error),
      )
    })
  }

  /** As `request`, for each chunk: what it asks is JSON already, and there is no promise. */
  ask(key: string, json: string, options: RequestOptions, answered: Answered): void {
    const request = this.#next++
    this.#holding.begin()
    const { turn } = options
    if (turn) this.#main.enter(turn)
    const unwatch = turn?.isPassing ? this.#watch(request, turn, options.signal) : noop
    const line = `{"r":${request},"action":"braidwork","ffid":0,"key":"${key}","val":${json}}`
    this.#process.com.writeRaw(line, request, (message) => {
      if (turn) this.#main.leave(turn)
      unwatch()
      this.#holding.end()
      if (hasNotBegun(message, options)) answered(new NotBegun())
      else if ('err' in message) answered(new PythonError(message['err'] as PythonFault))
      else if ('dead' in message) answered(message['dead'] as HostError)
      // At once: its first values may stand in the very next line.
      else if ('g' in message) answered(undefined, { stream: this.#openStream(request, options) })
      else answered(undefined, message)
      return undefined
    })
  }

  /** Tells something that has no answer. */
  tell(key: string, value: unknown): void {
    const text = JSON.stringify(value)
    this.#process.com.writeRaw(
      `{"r":0,"action":"braidwork","ffid":0,"key":"${key}","val":${text}}`,
      0,
    )
  }

  /** While something is open the host's process stays for it; gives what ends that. */
  hold(): () => void {
    return this.#holding.hold()
  }

  /**
   * What nobody waits for any more: `interrupt` is tried after a second, and where that did not end it, so
   * is the interpreter, as soon as nothing else runs in it. Gives what ends the watch.
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
    const { val } = await this.request('hello', TABLES)
    this.#python = val as Python
  }

  /** Limit and cancelling of a request that waits in Python. */
  #watch(request: number, turn: Turn, signal: AbortSignal | undefined): () => void {
    let done = noop
    const cancel = () => {
      this.tell('cancel', request)
      done = this.abandon(() => this.tell('cancel', request))
      clearTimeout(timer)
      signal?.removeEventListener('abort', cancel)
    }
    const limit = timerOf(turn.seconds)
    const look = (): void => {
      const left = leftOf(turn.since, limit)
      if (left > 0) timer = setTimeout(look, left)
      else cancel()
    }
    let timer = setTimeout(look, limit)
    signal?.addEventListener('abort', cancel, { once: true })
    return () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', cancel)
      done()
    }
  }

  #openStream(number: number, { joins = false }: RequestOptions): PythonStream {
    const stream = new PythonStream(this, number, joins)
    this.#streams.set(number, stream)
    return stream
  }

  #onPush(message: Message): undefined {
    const number = Number(message['g'])
    if (message['e'] === 'item') this.#streams.get(number)?.add(message['v'])
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
    this.#main.end()
    for (const stream of this.#streams.values()) stream.end({ error })
    this.#streams.clear()
    this.#onEnd(error)
  }
}

function notStarted(error: unknown): HostError {
  const said = error instanceof Error ? error.message || error.stack : String(error)
  return new HostError('PYTHON_CRASHED', `the Python side did not start: ${said}`, { cause: error })
}

function noop(): void {
  // Nothing to end.
}
