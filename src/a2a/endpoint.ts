import type { AgentEndpoint } from '@braidwork/agent'
import { REMOTE_TIMEOUT } from '@braidwork/agent/internal'
import { HostError, pointerOf } from '@braidwork/plugin'
import { isPrivateHost } from '@braidwork/request-guard'

/** The bindings of A2A that an endpoint may choose. */
const BINDINGS = ['JSONRPC', 'HTTP+JSON'] as const
export type Binding = (typeof BINDINGS)[number]

/** An endpoint, as this backend reads it. */
export interface A2aEndpoint {
  readonly base: URL
  readonly token?: string
  /** The tenant that each request names. */
  readonly target?: string
  /** The longest time of a run in milliseconds. */
  readonly timeout: number
  /** The default is what the card prefers. */
  readonly binding?: Binding
  /** Whether addresses that are not on the public internet are allowed. */
  readonly allowPrivate: boolean
}

/** @throws {HostError} INVALID_REMOTE_ENDPOINT_CONFIG */
export function readEndpoint(endpoint: AgentEndpoint): A2aEndpoint {
  const { base_url, auth, target, timeout_ms: timeout = REMOTE_TIMEOUT, options = {} } = endpoint
  const { binding, allow_private: allowPrivate = false, ...others } = options
  const [unknown] = Object.keys(others)
  if (unknown !== undefined) {
    throw invalid(
      ['options', unknown],
      'is no option of A2A; there are "binding" and "allow_private"',
    )
  }
  const found = BINDINGS.find((one) => one === binding)
  if (binding !== undefined && !found) {
    throw invalid(['options', 'binding'], `must be one of ${BINDINGS.join(', ')}`)
  }
  if (typeof allowPrivate !== 'boolean') {
    throw invalid(['options', 'allow_private'], 'must be true or false')
  }
  const base = new URL(base_url)
  if (!allowPrivate && isPrivateHost(base)) {
    throw invalid(
      ['base_url'],
      'is not on the public internet; to ask it, set "allow_private" to true in "options"',
    )
  }
  if (auth && base.protocol === 'http:' && !allowPrivate) {
    throw invalid(['base_url'], 'must be https, since the token would be sent in plain text')
  }
  return {
    base,
    timeout,
    allowPrivate,
    ...(auth ? { token: auth.token } : {}),
    ...(target === undefined ? {} : { target }),
    ...(found ? { binding: found } : {}),
  }
}

function invalid(path: readonly string[], fault: string): HostError {
  const message = `"${path.at(-1)}" ${fault}.`
  return new HostError('INVALID_REMOTE_ENDPOINT_CONFIG', message, { pointer: pointerOf(path) })
}
