import { HostError, type Limits } from '@braidwork/plugin'

/** The excess of each limit, as the error message states it; `#` stands for the limit. */
const COUNTED = {
  answer: 'took more than # s',
  answer_bytes: 'holds more than # bytes',
  answer_events: 'has more than # events',
  answer_parts: 'has more than # parts',
  answer_calls: 'has more than # tool calls',
} as const

export type AnswerLimit = keyof typeof COUNTED

/** The error for an answer that exceeds a limit of the config. */
export function limitError(limits: Limits, limit: AnswerLimit, provider?: string): HostError {
  const excess = COUNTED[limit].replace('#', String(limits[limit]))
  return new HostError(
    'PROVIDER_FAILED',
    `The answer ${excess}, which is the limit. Raise "limits.${limit}" in the config if you expect such answers.`,
    { plugin: provider, provider, retryable: false },
  )
}
