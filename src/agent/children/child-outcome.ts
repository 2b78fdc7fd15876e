import { type CallOutcome, failure } from '@braidwork/core/internal'
import { HostError, type Message, type ToolErrorClass, textOf } from '@braidwork/plugin'
import { messageOf } from '@braidwork/plugin/internal'
import type { RunResult } from '../run-result.ts'

/** What the model of the parent is told of a child run that did not answer. AL-06 */
export interface ChildFailure {
  readonly agent: string
  readonly status: 'failed' | 'cancelled' | 'stopped' | 'timed_out' | 'waiting' | 'refused'
  readonly message: string
  /** The code of the error, or of the stop condition. */
  readonly code?: string
  /** What the child said before. */
  readonly text?: string
}

/** How a child run ended, and what it said. */
export type EndedChild = Pick<RunResult, 'status' | 'termination' | 'error' | 'messages'>

/** The outcome of a call whose child run has ended: its answer as a text, or what went wrong. AL-06 */
export function childOutcome(agent: string, result: EndedChild): CallOutcome {
  const { status, termination, error, messages } = result
  const text = answerOf(messages)
  const said = saidBy(messages)
  const so = said === '' ? {} : { text: said }
  if (status === 'aborted') {
    return failed({
      agent,
      status: 'cancelled',
      message: reasonOf(error, 'It was cancelled.'),
      ...so,
    })
  }
  if (status === 'failed') {
    const message = reasonOf(error, 'It failed.')
    const code = error ? { code: error.code } : {}
    const isLate = error?.code === 'TIMEOUT'
    const told = {
      agent,
      status: isLate ? 'timed_out' : 'failed',
      message,
      ...code,
      ...so,
    } as const
    return failed(told, isLate ? 'timeout' : 'execution_failed')
  }
  if ('detail' in termination) {
    const code = 'code' in termination ? { code: termination.code } : {}
    return failed({ agent, status: 'stopped', message: termination.detail, ...code, ...so })
  }
  return { state: 'succeeded', output: text }
}

/** The outcome of a call whose child run could not begin, or did not end in time. */
export function failed(
  told: ChildFailure,
  errorClass: ToolErrorClass = 'execution_failed',
): CallOutcome {
  return failure(errorClass, { ...told })
}

/** The outcome of a call whose child run could not begin. AL-06 */
export function notBegun(agent: string, error: unknown): CallOutcome {
  const { code = 'PLUGIN_FAILED' } = HostError.is(error) ? error : {}
  return failed({ agent, status: 'failed', code, message: messageOf(error) })
}

/** The text of a run's last message. */
function answerOf(messages: readonly Message[]): string {
  const last = messages.at(-1)
  return last?.role === 'assistant' ? textOf(last) : ''
}

/** All texts of a run. */
export function saidBy(messages: readonly Message[]): string {
  const texts = messages.filter(({ role }) => role === 'assistant').map(textOf)
  return texts.filter((text) => text !== '').join('\n')
}

function reasonOf(error: HostError | undefined, otherwise: string): string {
  return error?.message ?? otherwise
}

/** The outcome of a call that was cancelled together with its child. */
export function cancelled(): CallOutcome {
  return failure('canceled', 'The call was cancelled while it ran.')
}
