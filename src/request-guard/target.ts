import type { LookupAddress } from 'node:dns'
import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { isLoopback, isPublic } from './addresses.ts'
import { GuardError } from './guard-error.ts'

/** A permitted URL with its checked IP address. The connection goes to this address only. */
export interface Target {
  readonly url: URL
  readonly addresses: readonly LookupAddress[]
}

/** The targets that are allowed. */
export interface Allowed {
  /** Absent if every public host is allowed. */
  readonly hosts?: readonly string[]
  readonly allow_loopback: boolean
  /** Whether addresses of private networks are allowed too, and local names. The default is false. */
  readonly allow_private?: boolean
}

/** Resolves a host name once. */
export type Resolve = (name: string) => Promise<readonly LookupAddress[]>

const resolveName: Resolve = (name) => lookup(name, { all: true })
/** Matches host names that refer to this machine or the local network, whatever DNS says. */
const LOCAL_NAME =
  /^localhost$|\.(?:localhost|local|localdomain|internal|intranet|lan|home\.arpa)$|^[^.]+$/

/**
 * Checks every URL before a request, including redirects: scheme, host, and all addresses of the host.
 * @throws {GuardError}
 */
export async function checkTarget(
  text: string,
  state: Allowed,
  signal: AbortSignal,
  resolve: Resolve = resolveName,
): Promise<Target> {
  const url = parse(text)
  const host = hostOf(url)
  checkHost(host, state)
  const family = isIP(host)
  const addresses =
    family === 0 ? await raced(resolve(host), signal, host) : [{ address: host, family }]
  const isAllowed = ({ address }: LookupAddress) =>
    state.allow_private === true ||
    isPublic(address) ||
    (state.allow_loopback && isLoopback(address))
  if (addresses.length === 0 || !addresses.every(isAllowed)) throw privateHost(host)
  return { url, addresses }
}

/** Whether the host of a URL is not on the public internet, as far as this can be told without asking DNS. */
export function isPrivateHost(url: URL): boolean {
  const host = hostOf(url)
  return isIP(host) === 0 ? LOCAL_NAME.test(host) : !isPublic(host)
}

/** The URL parser has already normalized decimal, octal and hexadecimal spellings of IPv4. */
function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
}

function parse(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url)
    throw new GuardError(
      `"${text.slice(0, 200)}" is not a URL; use one such as "https://example.org/page".`,
    )
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new GuardError(`"${url.protocol}" URLs cannot be fetched; use http or https.`)
  if (url.username !== '' || url.password !== '')
    throw new GuardError('URLs with a user name or password cannot be fetched.')
  return url
}

function checkHost(host: string, { hosts, allow_loopback, allow_private }: Allowed): void {
  const isOnList = (pattern: string) =>
    pattern.startsWith('*.') ? host.endsWith(pattern.slice(1)) : host === pattern
  if (hosts && !hosts.some(isOnList))
    throw new GuardError(`"${host}" is not among the allowed hosts: ${hosts.join(', ')}.`)
  if (allow_private || isIP(host) !== 0 || !LOCAL_NAME.test(host)) return
  if (!allow_loopback || host !== 'localhost') throw privateHost(host)
}

function privateHost(host: string): GuardError {
  return new GuardError(`"${host}" is not on the public internet, so it cannot be fetched.`)
}

/** Waits for a DNS lookup or for cancellation. A lookup cannot be cancelled; its late result is ignored. */
async function raced(
  resolving: Promise<readonly LookupAddress[]>,
  signal: AbortSignal,
  host: string,
): Promise<readonly LookupAddress[]> {
  let onAbort: () => void = () => undefined
  const aborted = new Promise<never>((_resolve, reject) => {
    onAbort = () => reject(signal.reason as Error)
  })
  signal.addEventListener('abort', onAbort, { once: true })
  try {
    signal.throwIfAborted()
    return await Promise.race([resolving, aborted])
  } catch (error) {
    if (signal.aborted) throw error
    throw new GuardError(`"${host}" has no IP address; check the spelling.`)
  } finally {
    signal.removeEventListener('abort', onAbort)
    resolving.catch(() => undefined)
  }
}
