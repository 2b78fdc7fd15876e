import { identityOf } from './identity.ts'
import { Session, type SessionOptions } from './session.ts'
import type { McpState, ServerSettings } from './settings.ts'

/** The sessions of this process. Each identity has one, whichever runs, configs and hosts use it. */
export class Pool {
  readonly #sessions = new Map<string, Session>()
  readonly #logins: Logins

  constructor(logins: Logins = { providerFor: () => undefined, stamp: () => '' }) {
    this.#logins = logins
  }

  /** The session of a server. Nothing is started. */
  sessionOf(server: ServerSettings, state: McpState): Session {
    const stamp = server.reached.kind === 'stdio' ? '' : this.#logins.stamp(server)
    const identity = identityOf(server, state) + stamp
    const known = this.#sessions.get(identity)
    if (known) return known
    const authProvider =
      server.reached.kind === 'stdio' ? undefined : this.#logins.providerFor(server)
    const { roots, start, idle, max_bytes } = state
    const options: SessionOptions = { server, roots, start, idle, max_bytes, authProvider }
    const session = new Session(options)
    this.#sessions.set(identity, session)
    return session
  }

  /** Ends all servers. */
  async close(): Promise<void> {
    const sessions = [...this.#sessions.values()]
    this.#sessions.clear()
    await Promise.all(sessions.map((session) => session.close()))
  }
}

/** The logins of servers over HTTP. */
export interface Logins {
  /** What authorizes requests to a server. Undefined if nobody has logged in. */
  providerFor(server: ServerSettings): unknown
  /** Changes with each login. */
  stamp(server: ServerSettings): string
}
