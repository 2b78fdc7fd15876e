import { findJsonFault, HostError, isObject, type JsonObject } from '@braidwork/plugin'
import type { GuardedFetch } from './guarded-fetch.ts'

/** The most bytes of a card. AW-54 */
const MOST_CARD = 256 << 10
/** The longest wait for a card in milliseconds. AW-54 */
const LONGEST_CARD = 30_000
const CARD_PATH = '/.well-known/agent-card.json'

/** A card whose interfaces are all of the host that was asked. */
export interface CheckedCard {
  /** As it came, with the interfaces that can be used. */
  readonly card: JsonObject
  readonly name: string
  readonly description?: string
}

interface Asked {
  readonly base: URL
  readonly fetch: GuardedFetch
  /** In milliseconds. */
  readonly timeout: number
  readonly signal?: AbortSignal | undefined
}

/**
 * Reads the card of an agent.
 * @throws {HostError} REMOTE_AGENT_FAILED; TIMEOUT
 */
export async function readCard({ base, fetch, timeout, signal }: Asked): Promise<CheckedCard> {
  const { pathname: path } = base
  const below = path.endsWith('/') ? path.slice(0, -1) : path
  const address = new URL(`${below}${CARD_PATH}`, base)
  const limit = Math.min(timeout, LONGEST_CARD)
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(), limit)
  const onAbort = () => late.abort()
  signal?.addEventListener('abort', onAbort, { once: true })
  try {
    signal?.throwIfAborted()
    const headers = { accept: 'application/json', 'a2a-version': '1.0' }
    const answer = await fetch(address, { headers, signal: late.signal, most: MOST_CARD })
    const text = await answer.text()
    if (!answer.ok) throw failed(base, `answers its card with the status ${answer.status}`)
    return checked(base, text)
  } catch (error) {
    if (signal?.aborted) throw signal.reason
    if (late.signal.aborted) {
      throw new HostError('TIMEOUT', `"${base.host}" sent no card within ${limit} ms.`)
    }
    throw HostError.is(error) ? error : failed(base, 'broke off its card', error)
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', onAbort)
  }
}

function checked(base: URL, text: string): CheckedCard {
  const card = parsed(base, text)
  const { name, description } = card
  if (typeof name !== 'string' || name.trim() === '')
    throw failed(base, 'sent a card without a name')
  return {
    card: withOwnInterfaces(base, card),
    name,
    ...(typeof description === 'string' ? { description } : {}),
  }
}

function parsed(base: URL, text: string): JsonObject {
  try {
    const value: unknown = JSON.parse(text)
    if (isObject(value) && !findJsonFault(value)) return value
  } catch (cause) {
    throw failed(base, 'sent a card that is not JSON', cause)
  }
  throw failed(base, 'sent a card that is not a JSON object')
}

/** The bindings that this client speaks. */
const BINDINGS: ReadonlySet<string> = new Set(['JSONRPC', 'HTTP+JSON'])

/**
 * Leaves out the interfaces that cannot be used. One of another host is a fault of the whole card: requests to it would
 * carry the token.
 */
function withOwnInterfaces(base: URL, card: JsonObject): JsonObject {
  const { supportedInterfaces, additionalInterfaces, url, preferredTransport } = card
  const given = listOf(supportedInterfaces)
  const own = given.filter(({ protocolBinding }) => isSpoken(protocolBinding))
  const more = listOf(additionalInterfaces).filter(({ transport }) => isSpoken(transport))
  const first = given.length === 0 && isSpoken(preferredTransport ?? 'JSONRPC') ? [url] : []
  const addresses = [...own.map((one) => one['url']), ...more.map((one) => one['url']), ...first]
  if (addresses.length === 0) {
    throw failed(base, 'sent a card without an interface of JSON-RPC or HTTP+JSON')
  }
  for (const address of addresses) assertOwn(base, address)
  return given.length > 0
    ? { ...card, supportedInterfaces: own }
    : { ...card, additionalInterfaces: more }
}

function listOf(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : []
}

function isSpoken(binding: unknown): boolean {
  return typeof binding === 'string' && BINDINGS.has(binding.toUpperCase())
}

function assertOwn(base: URL, address: unknown): void {
  const url = typeof address === 'string' && URL.canParse(address) ? new URL(address) : undefined
  if (url?.origin === base.origin) return
  const where = url ? `the other origin "${url.origin}"` : 'an address that is not a URL'
  throw failed(base, `sent a card with ${where}; its interfaces must be at "${base.origin}"`)
}

function failed({ host }: URL, what: string, cause?: unknown): HostError {
  return new HostError('REMOTE_AGENT_FAILED', `"${host}" ${what}.`, { cause })
}
