import type { HostError, ModelFailedEvent } from '@braidwork/plugin'

/** The kinds of failures after which a request may be repeated. AW-23 */
export type ModelFailure = NonNullable<ModelFailedEvent['failure']>

const FAILURES: ReadonlyMap<string, ModelFailure> = new Map([
  ['PROVIDER_FAILED', 'provider_failed'],
  ['RATE_LIMITED', 'rate_limited'],
  ['OVERLOADED', 'overloaded'],
  ['TIMEOUT', 'timeout'],
  ['STREAM_INTERRUPTED', 'interrupted'],
])

/** A repetition would fail again, whatever the provider says of it. */
const FINAL: ReadonlySet<string> = new Set([
  'ABORTED',
  'CIRCUIT_OPEN',
  'CONTENT_FILTERED',
  'CONTEXT_OVERFLOW',
  'INVALID_REQUEST',
  'MODEL_UNKNOWN',
  'PROVIDER_UNAUTHORIZED',
  'QUOTA_EXCEEDED',
])

/** The hooks in which a provider talks to its API. */
const ASKING: ReadonlySet<unknown> = new Set(['call', 'stream'])

/**
 * The kind of failure after which the request may be repeated. Undefined if it may not: the failure would come again,
 * or another plugin than the provider failed. AW-23
 */
export function failureOf(error: HostError): ModelFailure | undefined {
  const { code, plugin, provider, hook, retryable } = error
  if (retryable === false || FINAL.has(code)) return undefined
  if (plugin !== undefined && plugin !== provider) return undefined
  const known = FAILURES.get(code)
  if (known) return known
  // A provider may have codes of its own, and one that is not ours may throw what its HTTP client threw.
  const isOfApi = code === 'HOOK_FAILED' && ASKING.has(hook)
  return retryable || isOfApi ? 'provider_failed' : undefined
}
