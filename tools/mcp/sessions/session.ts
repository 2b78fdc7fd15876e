import type { Log } from '@braidwork/plugin'
import type { CallToolResult, Client } from '@modelcontextprotocol/client'
import { BackOff } from '../connection/back-off.ts'
import { type Connection, connect, isClosed, messageOf } from '../connection/connection.ts'
import { isForgotten } from '../connection/forgotten-session.ts'
import { Problem } from '../problem.ts'
import { Elicitations } from '../requests/elicitations.ts'
import { setHandlers } from '../requests/server-requests.ts'
import type { CallOptions } from '../requests/session-call.ts'
import { ServerLog, withLogLevel } from '../server-log.ts'
import type { McpState, ServerSettings } from '../settings.ts'
import { type Listed, listAll } from './list-all.ts'

export type SessionOptions = Pick<McpState, 'roots' | 'start' | 'idle' | 'max_bytes'> & {
  readonly server: ServerSettings
  /** What a server over HTTP is authorized with, if somebody has logged in. */
  readonly authProvider?: unknown
}

/** The most that a timer takes: a request ends by its signal, not by the SDK's timer. */
const NO_TIMEOUT = 2 ** 31 - 1

/** A use of a session. While one lasts, the session does not end for idleness. */
export interface Use {
  readonly client: Client
  /** Why the host ended the server meanwhile. Undefined if it did not. */
  readonly fault: () => Problem | undefined
  readonly done: () => void
}

/**
 * One server: a process or a session over HTTP that starts when it is first needed, is shared by all runs, ends when it
 * is idle, and starts again when it has died.
 */
export class Session {
  readonly #options: SessionOptions
  readonly #backOff = new BackOff()
  readonly #log: ServerLog
  readonly #questions = new Elicitations()
  #connection: Connection | undefined
  #connecting: Promise<Connection> | undefined
  /** Connections whose sessions the server has forgotten. Other calls may still wait for what it answers them. */
  readonly #forgotten: Connection[] = []
  #tools: readonly Listed[] | undefined
  #listing: Promise<readonly Listed[]> | undefined
  #isStale = false
  #isLegacy = false
  #users = 0
  /** The signals of the calls that run. */
  readonly #calls = new Set<AbortSignal>()
  /** Whether a host has closed while calls of others ran. */
  #isLeft = false
  #idleTimer: NodeJS.Timeout | undefined

  constructor(options: SessionOptions) {
    this.#options = options
    this.#log = new ServerLog(options.server.name)
  }

  /** The tools that the server had when it was last asked. */
  get knownTools(): readonly Listed[] {
    return this.#tools ?? []
  }

  /** Whether nothing of the server runs. */
  get isIdle(): boolean {
    return this.#users === 0
  }

  use(log: Log): void {
    this.#log.use(log)
  }

  /** The server's tools. They are asked for again only after the server said that they changed. @throws {Problem} */
  tools(): Promise<readonly Listed[]> {
    if (this.#tools && !this.#isStale) return Promise.resolve(this.#tools)
    this.#listing ??= this.#list().finally(() => {
      this.#listing = undefined
    })
    return this.#listing
  }

  /** Starts the server if it does not run. @throws {Problem} */
  async begin(): Promise<Use> {
    this.#users++
    clearTimeout(this.#idleTimer)
    let isDone = false
    const done = () => {
      if (isDone) return
      isDone = true
      this.#users--
      this.#restWhenIdle()
    }
    try {
      const connection = await this.#connected()
      return { client: connection.client, fault: () => connection.fault(), done }
    } catch (error) {
      done()
      throw error
    }
  }

  /** Starts the server if it does not run, and does work with it. @throws {Problem} and what the work throws */
  async with<T>(work: (client: Client) => Promise<T>): Promise<T> {
    const use = await this.begin()
    try {
      return await this.renewing(use, work)
    } finally {
      use.done()
    }
  }

  /** Does work. Where the server has forgotten its session, it took no request: the work is done in a new session. */
  async renewing<T>({ client }: Use, work: (client: Client) => Promise<T>): Promise<T> {
    try {
      return await work(client)
    } catch (error) {
      if (!isForgotten(client, error)) throw error
      const connection = this.#connection
      // Another call may have begun the new session already.
      if (connection?.client === client) {
        this.#connection = undefined
        this.#forgotten.push(connection)
      }
      return work((await this.#connected()).client)
    }
  }

  /** Sends a request to a server that runs. Progress and questions go to the call. */
  async callTool(
    client: Client,
    params: Parameters<Client['callTool']>[0],
    options: CallOptions,
  ): Promise<CallToolResult> {
    using _ = this.#questions.expect(options.call)
    using __ = this.#calling(options.signal)
    // Awaited here: questions belong to the call until it has its result.
    return await client.callTool(withLogLevel(client, params), {
      signal: options.signal,
      timeout: NO_TIMEOUT,
      allowInputRequired: true,
      ...(options.onProgress ? { onprogress: options.onProgress } : {}),
      ...(options.definition ? { toolDefinition: options.definition as never } : {}),
    })
  }

  /** Ends the server. It starts again when it is next needed. */
  async close(): Promise<void> {
    clearTimeout(this.#idleTimer)
    this.#isLeft = false
    const connection = this.#connection ?? (await this.#connecting?.catch(() => undefined))
    if (this.#connection === connection) this.#connection = undefined
    const all = [...(connection ? [connection] : []), ...this.#forgotten.splice(0)]
    await Promise.all(all.map((one) => one.close()))
  }

  /**
   * Ends the server for a host that closes, whose calls are cancelled. Where calls of other hosts run, it ends when they
   * have ended. Returns whether it ends now.
   */
  async leave(): Promise<boolean> {
    this.#isLeft = [...this.#calls].some(({ aborted }) => !aborted)
    if (!this.#isLeft) await this.close()
    return !this.#isLeft
  }

  #calling(signal: AbortSignal): Disposable {
    this.#calls.add(signal)
    return { [Symbol.dispose]: () => this.#calls.delete(signal) }
  }

  async #list(): Promise<readonly Listed[]> {
    const { start } = this.#options
    try {
      return await this.with(async (client) => {
        // Before the answer: a change while the server answers is a change after it.
        this.#isStale = false
        this.#tools = await listAll(client, 'tools/list', 'tools', start * 1_000)
        return this.#tools
      })
    } catch (error) {
      this.#isStale = true
      if (isClosed(error)) throw new Problem('it ended when it was asked for its tools')
      throw error instanceof Problem ? error : new Problem(`its tools: ${messageOf(error)}`)
    }
  }

  async #connected(): Promise<Connection> {
    if (this.#connection) return this.#connection
    if (this.#connecting) return this.#connecting
    const { refusal } = this.#backOff
    if (refusal !== undefined) throw new Problem(refusal)
    this.#connecting = this.#connect().finally(() => {
      this.#connecting = undefined
    })
    return this.#connecting
  }

  async #connect(): Promise<Connection> {
    const { start, max_bytes: maxBytes, ...options } = this.#options
    try {
      const connection = await connect({
        ...options,
        maxBytes,
        startMs: start * 1_000,
        isLegacy: this.#isLegacy,
        prepare: (client) =>
          setHandlers(client, { ...this.#options, log: this.#log, questions: this.#questions }),
        onToolsChanged: () => {
          this.#isStale = true
        },
        tell: (text) => this.#log.tell('debug', text),
      })
      this.#began(connection)
      return connection
    } catch (error) {
      if (error instanceof Problem) this.#log.tellWords(error.words)
      this.#backOff.failed(messageOf(error))
      throw error
    }
  }

  #began(connection: Connection): void {
    const begunAt = performance.now()
    const { client } = connection
    this.#connection = connection
    // What changed while nothing of the server ran, it could not tell.
    if (this.#tools) this.#isStale = true
    this.#isLegacy = client.getProtocolEra() === 'legacy'
    const end = () => {
      if (this.#connection !== connection) return
      this.#connection = undefined
      const ending = connection.ending()
      this.#backOff.died(ending.reason, performance.now() - begunAt)
      this.#log.tellEnd(ending)
      void connection.close()
    }
    client.onclose = end
  }

  #restWhenIdle(): void {
    if (this.#users > 0) return
    clearTimeout(this.#idleTimer)
    if (this.#isLeft) return void this.close()
    for (const connection of this.#forgotten.splice(0)) void connection.close()
    this.#idleTimer = setTimeout(() => void this.close(), this.#options.idle * 1_000)
    this.#idleTimer.unref()
  }
}
