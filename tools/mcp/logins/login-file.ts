import { createHash, randomUUID } from 'node:crypto'
import { chmodSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { homedir, userInfo } from 'node:os'
import { isAbsolute, join } from 'node:path'
import { HostError, isObject } from '@braidwork/plugin'

/** What a login keeps: the registration of this client, the authorization server, and the tokens, as the SDK has them. */
export interface Login {
  /** Changes with each login, but not when tokens are renewed. */
  readonly id: string
  readonly client?: object
  readonly discovery?: object
  readonly tokens?: object
}

/**
 * The file of the login at a server. Only its owner may read it, and it is no part of any config. Undefined if the user
 * has no home folder.
 */
export function loginFile(url: string): string | undefined {
  const data = dataFolder()
  if (data === undefined) return undefined
  const { origin, pathname } = new URL(url)
  const name = createHash('sha256').update(`${origin}${pathname}`).digest('hex').slice(0, 32)
  return join(data, 'braidwork', 'mcp', `${name}.json`)
}

/** The file of a login that will be written. @throws {HostError} ENV_MISSING if the user has no home folder */
export function neededLoginFile(url: string): string {
  const path = loginFile(url)
  if (path !== undefined) return path
  throw new HostError(
    'ENV_MISSING',
    'There is no folder for the login, because the user of this process has no home folder. Set HOME, or XDG_DATA_HOME to the path of a folder.',
  )
}

/** The user's data folder, as the XDG Base Directory Specification defines it. */
function dataFolder(): string | undefined {
  const { XDG_DATA_HOME = '' } = process.env
  if (isAbsolute(XDG_DATA_HOME)) return XDG_DATA_HOME
  try {
    // With an empty `HOME`, `homedir` is empty, and the path would be relative.
    return join(homedir() || userInfo().homedir, '.local', 'share')
  } catch {
    // The system does not list the user, as in a container that runs under another id.
    return undefined
  }
}

/** A login that has not begun. @param client a client that was registered by hand */
export function newLogin(client?: object): Login {
  return { id: randomUUID(), ...(client ? { client } : {}) }
}

const read = new Map<string, { readonly changedAt: number; readonly login: Login | undefined }>()

/** The login at a server. Undefined if nobody has logged in, or if the file cannot be used. */
export function readLogin(url: string): Login | undefined {
  const path = loginFile(url)
  if (path === undefined) return undefined
  const changedAt = statSync(path, { throwIfNoEntry: false })?.mtimeMs
  if (changedAt === undefined) return undefined
  const known = read.get(path)
  if (known?.changedAt === changedAt) return known.login
  const login = loginIn(path)
  read.set(path, { changedAt, login })
  return login
}

function loginIn(path: string): Login | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'))
    return isObject(value) && typeof value['id'] === 'string'
      ? (value as unknown as Login)
      : undefined
  } catch {
    return undefined
  }
}

/**
 * Writes a login, in one step, so that nobody reads half of it.
 * @throws {HostError} ENV_MISSING if the user has no home folder
 */
export function writeLogin(url: string, login: Login): void {
  const path = neededLoginFile(url)
  const folder = join(path, '..')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  chmodSync(folder, 0o700)
  const next = `${path}.${process.pid}`
  writeFileSync(next, JSON.stringify(login), { mode: 0o600 })
  renameSync(next, path)
  read.delete(path)
}
