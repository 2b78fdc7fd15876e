import type { Config } from '@braidwork/plugin'
import { providerError } from './errors.ts'
import type { Profile } from './profile.ts'

/** The limits that this package enforces, with the defaults for those that the config does not set. */
const DEFAULTS = {
  hook: 30,
  connect: 30,
  call: 600,
  stream_idle: 60,
  answer_bytes: 64 * 1024 * 1024,
  answer_parts: 20_000,
  stream_bytes: 256 * 1024 * 1024,
  retry_after: 60,
} as const

/** The limits on an API's answers. */
export type Limits = { readonly [L in keyof typeof DEFAULTS]: number }

export function limitsOf({ limits }: Config, { connect }: Partial<Profile> = {}): Limits {
  const defaults = connect === undefined ? DEFAULTS : { ...DEFAULTS, connect }
  return limits ? { ...defaults, ...limits } : defaults
}

/** The error for an answer that exceeds a limit of the config. */
export function tooMuch({ title }: Profile, limits: Limits, limit: Excess): Error {
  const excess = EXCESSES[limit].replace('#', String(limits[limit]))
  return providerError(
    'PROVIDER_FAILED',
    `${title} sent ${excess}, which is the limit. Raise "limits.${limit}" in the config if such an answer is expected.`,
    { retryable: false },
  )
}

const EXCESSES = {
  answer_bytes: 'an answer, or an event of one, of more than # bytes',
  answer_parts: 'an answer of more than # parts',
  stream_bytes: 'a stream of more than # bytes',
} as const

type Excess = keyof typeof EXCESSES
