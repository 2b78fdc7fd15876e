import { identityOf } from '../connection/identity.ts'
import { loginAt } from '../logins/logins.ts'
import type { McpState, ServerSettings } from '../settings.ts'
import { Session } from './session.ts'

/** The sessions of this process. Each identity has one, whichever runs, configs and hosts use it. */
export class Pool {
  readonly #sessions = new Map<string, Session>()

  /** The session of a server. Nothing is started. */
  sessionOf(server: ServerSettings, state: McpState): Session {
    const login = loginAt(server)
    const identity = `${identityOf(server, state)} ${login?.id ?? ''}`
    const known = this.#sessions.get(identity)
    if (known) return known
    const { roots, start, idle, max_bytes } = state
    const authProvider = login?.provider()
    const session = new Session({ server, roots, start, idle, max_bytes, authProvider })
    this.#sessions.set(identity, session)
    return session
  }

  /** Ends all servers for a host that closes, but for those whose calls belong to other hosts: they end with these. */
  async close(): Promise<void> {
    const ending = [...this.#sessions].map(async ([identity, session]) => {
      if (await session.leave()) this.#sessions.delete(identity)
    })
    await Promise.all(ending)
  }
}
