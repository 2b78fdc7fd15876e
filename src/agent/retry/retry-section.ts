import { faultIn } from '@braidwork/core/internal'
import { HostError } from '@braidwork/plugin'
import { asSentence } from '@braidwork/plugin/internal'

/** The section `retry` of an agent's spec: the run repeats requests that failed, and the provider does not. AW-20 */
export interface RetrySection {
  /** How often a request of a step is repeated. 0 repeats none. AW-25 */
  readonly max_retries: number
  /** The wait before the first retry, in milliseconds; each further one doubles it. The default is 500. */
  readonly backoff_base_ms?: number
  /** The same after a model API said that it is overloaded. The default is 2000. */
  readonly overloaded_backoff_base_ms?: number
  /** How many of the retries may follow output that was shown. The default is 2. */
  readonly max_stream_retries?: number
  /**
   * The silence after which a stream counts as interrupted, in seconds. The default is `limits.stream_idle` of the
   * config, 60.
   */
  readonly stream_idle_timeout_secs?: number
}

const count = { type: 'integer', minimum: 0 } as const

/** The JSON Schema (2020-12) of a {@link RetrySection}. */
export const RETRY_SCHEMA = {
  type: 'object',
  properties: {
    max_retries: count,
    backoff_base_ms: count,
    overloaded_backoff_base_ms: count,
    max_stream_retries: count,
    stream_idle_timeout_secs: { type: 'number', exclusiveMinimum: 0 },
  },
  required: ['max_retries'],
  additionalProperties: false,
} as const

/** @throws {HostError} OPTION_INVALID for a section that does not fit the schema, such as one with an unknown key */
export async function assertRetry(section: RetrySection): Promise<void> {
  const fault = await faultIn(RETRY_SCHEMA, section)
  if (!fault) return
  const message = `The option "retry" is not valid: ${asSentence(fault.message)}`
  throw new HostError('OPTION_INVALID', message, { pointer: `/retry${fault.pointer}` })
}

/** When failed requests are repeated: a section with its defaults. */
export interface RetryPolicy {
  readonly retries: number
  /** How many of the retries may follow output that was shown. */
  readonly streamRetries: number
  /** In milliseconds. */
  readonly backoff: number
  /** In milliseconds. */
  readonly overloadedBackoff: number
}

/** The policy of a section; without one, nothing is repeated. */
export function retryPolicyOf(
  {
    max_retries: retries,
    max_stream_retries: streamRetries = 2,
    backoff_base_ms: backoff = 500,
    overloaded_backoff_base_ms: overloadedBackoff = 2000,
  }: RetrySection = { max_retries: 0 },
): RetryPolicy {
  return { retries, streamRetries, backoff, overloadedBackoff }
}
