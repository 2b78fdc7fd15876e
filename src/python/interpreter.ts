import { HostError } from '../errors.ts'
import type { Log } from '../plugin/internal.ts'
import { TABLES } from './hook-tables.ts'
import { MainThread } from './main-thread.ts'
import { keepsEnding, PythonError, type PythonFault } from './python-error.ts'
import { PythonProcess } from './python-process.ts'
import { PythonStream } from './python-stream.ts'
import type { Message } from './pythonia.ts'

export interface InterpreterOptions {
  readonly executable: string
  readonly log: Log
}

export interface RequestOptions {
  /** The longest that the main thread may be held up by it. */
  readonly seconds?: number
  /** Where it waits in Python without holding up the rest. */
  readonly isWaiting?: boolean
  readonly signal?: AbortSignal | undefined
  /** Whether what a generator gives is chunks, of which several may come at once. */
  readonly joins?: boolean
}

/** An answer; a generator's has its values. */
export interface Answer extends Message {
  readonly stream?: PythonStream
}

/** What the Python side tells without being asked, by its name. */
export type Listener = (message: Message) => void

/** A plugin as it was told to the interpreter; told again to each one that takes its place. */
export type Loading = (life: InterpreterLife) => Promise<void>

const MOST_RESTARTS = 5
/** How long an interpreter with nothing to do holds the host's process. */
const IDLE_MS = 20
const RESTART_WINDOW_MS = 60_000
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
  #open = 0
  /** Those of them that nobody waits for any more. */
  #abandoned = 0
  #next = 1_000_000
  /** Whether the host's process stays for it. */
  #isHeld = false
  #idle: NodeJS.Timeout | undefined
  dead: HostError | undefined

  constructor(
    { executable, log }: InterpreterOptions,
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
    this.ready = this.#begin()
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
    const request = this.#next++
    return new Promise((resolve, reject) => {
      const settled = this.hold()
      const left = this.#watch(request, options)
      const line = `{"r":${request},"action":"braidwork","ffid":0,"key":"${key}","val":${JSON.stringify(value)}}`
      this.#process.com.writeRaw(line, request, (message) => {
        left()
        settled()
        if ('err' in message) reject(new PythonError(message['err'] as PythonFault))
        else if ('dead' in message) reject(message['dead'])
        // At once: its first values may stand in the very next line.
        else if ('g' in message) resolve({ stream: this.#openStream(request, options) })
        else resolve(message)
        return undefined
      })
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
    if (this.#open++ === 0 && !this.#isHeld) {
      this.#isHeld = true
      this.#process.hold(true)
    }
    let isHeld = true
    return () => {
      if (!isHeld) return
      isHeld = false
      // Not at once: the next chunk is on its way.
      if (--this.#open === 0) this.#letGo()
    }
  }

  #letGo(): void {
    if (this.#idle) {
      this.#idle.refresh()
      return
    }
    this.#idle = setTimeout(() => {
      this.#idle = undefined
      if (this.#open > 0) return
      this.#isHeld = false
      this.#process.hold(false)
    }, IDLE_MS)
    this.#idle.unref()
  }

  /**
   * What nobody waits for any more: `interrupt` is tried after a second, and where that did not end it, so
   * is the interpreter, as soon as nothing else runs in it. Gives what ends the watch.
   */
  abandon(interrupt: () => void): () => void {
    this.#abandoned += 1
    const soft = setTimeout(interrupt, LONGEST_CANCEL_MS / 10)
    const hard = setInterval(() => {
      if (this.#abandoned >= this.#open) this.#process.kill()
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

  async #begin(): Promise<void> {
    const settled = this.hold()
    try {
      await this.#process.start()
    } catch (error) {
      throw this.dead ?? notStarted(error)
    } finally {
      settled()
    }
    await this.request('hello', TABLES)
  }

  /** Limit and cancelling of a request. */
  #watch(request: number, { seconds, isWaiting, signal }: RequestOptions): () => void {
    if (!isWaiting) return seconds === undefined ? noop : this.#main.enter(seconds)
    let done = noop
    const cancel = () => {
      this.tell('cancel', request)
      done = this.abandon(() => this.tell('cancel', request))
      clearTimeout(timer)
      signal?.removeEventListener('abort', cancel)
    }
    const timer = seconds === undefined ? undefined : setTimeout(cancel, seconds * 1000)
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

/** An interpreter that begins when it is needed, and again after it ended; not too often. */
export class Interpreter {
  readonly #options: InterpreterOptions
  readonly #listeners = new Map<string, Listener>()
  readonly #loadings: Loading[] = []
  readonly #ends: number[] = []
  #life: InterpreterLife | undefined
  #ready: Promise<void> = Promise.resolve()
  #lastEnd: HostError | undefined
  #users = 0
  #isClosed = false

  constructor(options: InterpreterOptions) {
    this.#options = options
  }

  on(event: string, listener: Listener): void {
    this.#listeners.set(event, listener)
  }

  /** Another plugin of it; the one that releases it last ends it. */
  use(): () => Promise<void> {
    this.#users += 1
    let isReleased = false
    return async () => {
      if (isReleased) return
      isReleased = true
      if (--this.#users === 0) await this.close()
    }
  }

  /** Ends it, whoever uses it. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.#life?.stop()
  }

  /** What is to be told to it now, and to each that takes its place. */
  async load(loading: Loading): Promise<void> {
    await loading(await this.living())
    this.#loadings.push(loading)
  }

  /** Why it is not started again, or nothing. */
  get refusal(): HostError | undefined {
    const since = Date.now() - RESTART_WINDOW_MS
    while (this.#ends[0] !== undefined && this.#ends[0] < since) this.#ends.shift()
    const [first] = this.#ends
    if (first === undefined || !this.#lastEnd || this.#ends.length <= MOST_RESTARTS)
      return undefined
    return keepsEnding(this.#lastEnd, Math.ceil((first - since) / 1000))
  }

  /** The life that runs, ready for requests. @throws {HostError} PYTHON_CRASHED, HOST_CLOSED */
  async living(): Promise<InterpreterLife> {
    while (this.#life?.trouble) await this.#life.trouble
    const life = this.#life?.isDead === false ? this.#life : this.#begin()
    await this.#ready
    return life
  }

  #begin(): InterpreterLife {
    if (this.#isClosed) throw new HostError('HOST_CLOSED', 'The host was closed; create another.')
    const { refusal } = this
    if (refusal) throw refusal
    const life = new InterpreterLife(this.#options, this.#listeners, (error) => {
      this.#lastEnd = error
      this.#ends.push(Date.now())
    })
    this.#life = life
    this.#ready = this.#loadAll(life)
    return life
  }

  async #loadAll(life: InterpreterLife): Promise<void> {
    await life.ready
    for (const loading of this.#loadings) await loading(life)
  }
}

function notStarted(error: unknown): HostError {
  const said = error instanceof Error ? error.message || error.stack : String(error)
  return new HostError('PYTHON_CRASHED', `the Python side did not start: ${said}`, { cause: error })
}

function noop(): void {
  // Nothing to end.
}
