import type { ServerSettings } from '../settings.ts'
import { readLogin } from './login-file.ts'
import { LoginTokens } from './login-tokens.ts'

/** A login of the person who runs this process, at a server over HTTP. */
export interface Known {
  /** Changes with each login: another login is another session. */
  readonly id: string
  readonly provider: () => unknown
}

/** The login at a server. Undefined for a command, and where nobody has logged in. */
export function loginAt({ name, reached }: ServerSettings): Known | undefined {
  if (reached.kind === 'stdio') return undefined
  const { url } = reached
  const login = readLogin(url)
  return login && { id: login.id, provider: () => new LoginTokens(url, login, name) }
}
