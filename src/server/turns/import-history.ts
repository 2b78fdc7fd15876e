import type { Message } from '@braidwork/plugin'
import { unansweredIn } from '../unanswered.ts'
import { entryOf, withoutId } from './new-entries.ts'
import { openAnswerId } from './path.ts'
import type { RunPlan } from './plan.ts'

/**
 * Imports a history that the server does not know. Drops system messages, because clients must not set them, and
 * adds an error result for each open call.
 */
export function importHistory(messages: readonly Message[], newId: () => string): RunPlan {
  const kept = messages.filter(({ role }) => role !== 'system')
  const lastAsked = kept.findLastIndex(({ role }) => role === 'user')
  const before = kept.slice(0, Math.max(lastAsked, 0))
  // A call stays open even if the history says that a person approved it, because this server did not ask for that
  // approval.
  const all = settled([...settled(before), ...kept.slice(before.length)])
  const answerId = openAnswerId(all)
  return {
    kind: 'run',
    entries: all.map((message) => entryOf(message, newId)),
    messages: all.map(withoutId),
    ...(answerId === undefined ? {} : { answerId }),
  }
}

function settled(messages: readonly Message[]): readonly Message[] {
  return [...messages, ...unansweredIn(messages)]
}
