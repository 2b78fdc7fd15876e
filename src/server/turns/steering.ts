import { HostError, type Message } from '@braidwork/plugin'
import type { Plan } from './plan.ts'

/**
 * The messages that a request brings for an active run. There are none if it changes or repeats what was said before,
 * or answers calls.
 * @throws {HostError} REQUEST_INVALID for a message that is not only text
 */
export function steeringIn(plan: Plan): readonly Message[] {
  if (plan.kind !== 'run' || plan.parent !== undefined) return []
  const said = plan.entries.flatMap((entry) =>
    entry.kind === 'message' ? [{ ...entry.message, id: entry.message.id ?? entry.id }] : [],
  )
  if (said.some(({ role }) => role !== 'user')) return []
  if (said.every(({ parts }) => parts.every(({ type }) => type === 'text'))) return said
  const message = 'A message to an active run can only have text. Send the files as the next turn.'
  throw new HostError('REQUEST_INVALID', message, { pointer: '/messages' })
}
