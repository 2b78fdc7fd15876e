import type { Environment } from '@braidwork/agent'
import type { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server'

/** After how many milliseconds without a request or a stream a session ends. */
const IDLE = 30 * 60_000
/** The most sessions of one identity. One more ends the one that was used least recently. */
const MOST = 100

interface SessionParts {
  readonly id: string
  /** The id of the identity that began the session. To all others it does not exist. */
  readonly owner: string
  readonly transport: WebStandardStreamableHTTPServerTransport
}

interface Times extends Pick<Environment, 'sleep'> {
  /** After how many milliseconds without a connection the calls of a session are stopped, and it ends. */
  readonly cancelAfter: number
}

/** A session of a client, as revisions of MCP before 2026-07-28 have it. */
export class Session {
  readonly parts: SessionParts
  readonly #times: Times
  #connections = 0
  #calls = 0
  #waiting: AbortController | undefined
  #isOver = false

  constructor(parts: SessionParts, times: Times) {
    this.parts = parts
    this.#times = times
    this.#watch()
  }

  /** Takes note of a request or a stream of the client. Call the returned function once, when it ends. */
  connect(): () => void {
    this.#connections++
    this.#watch()
    return () => {
      this.#connections--
      this.#watch()
    }
  }

  /** Takes note of a call in progress. Call the returned function once, when it ends. */
  beginCall(): () => void {
    this.#calls++
    this.#watch()
    return () => {
      this.#calls--
      this.#watch()
    }
  }

  /** Ends the session. Calls in progress are cancelled. */
  close(): Promise<void> {
    return this.parts.transport.close()
  }

  /** Takes note that the transport is closed, whoever closed it. */
  end(): void {
    this.#isOver = true
    this.#waiting?.abort()
  }

  /** Ends the session after a while in which the client is not connected. */
  #watch(): void {
    this.#waiting?.abort()
    this.#waiting = undefined
    if (this.#isOver || this.#connections > 0) return
    const waiting = new AbortController()
    this.#waiting = waiting
    const { sleep, cancelAfter } = this.#times
    sleep(this.#calls > 0 ? cancelAfter : IDLE, waiting.signal).then(
      () => this.close(),
      () => undefined,
    )
  }
}

/** The sessions of a server. They are in memory, so none survives the process. */
export class Sessions {
  readonly #all = new Map<string, Session>()
  readonly #times: Times

  constructor(times: Times) {
    this.#times = times
  }

  add(parts: SessionParts): Session {
    const own = [...this.#all.values()].filter(({ parts: { owner } }) => owner === parts.owner)
    if (own.length >= MOST) void own[0]?.close()
    const session = new Session(parts, this.#times)
    this.#all.set(parts.id, session)
    return session
  }

  /** Finds a session of an identity for one more request. */
  find(id: string, owner: string): Session | undefined {
    const found = this.#all.get(id)
    if (found?.parts.owner !== owner) return undefined
    // The map is in the order of the last use.
    this.#all.delete(id)
    this.#all.set(id, found)
    return found
  }

  /** Finds a session for what happens within it. */
  get(id: string | undefined): Session | undefined {
    return id === undefined ? undefined : this.#all.get(id)
  }

  /** Takes note that the transport of a session is closed. */
  end(id: string): void {
    this.#all.get(id)?.end()
    this.#all.delete(id)
  }

  async close(): Promise<void> {
    await Promise.all([...this.#all.values()].map((session) => session.close()))
  }
}
