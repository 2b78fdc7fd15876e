import { withOtherUsage } from '../../../src/agent/run-log/ending.ts'
import { usageIn } from '../../../src/agent/run-log/interruptions.ts'
import { withResult } from '../../../src/agent/storage/index.ts'
import type { Message } from '../../../src/plugin/events/index.ts'
import { type Leg, messagesIn } from './legs.ts'
import type { RunRecords } from './runs.ts'

/** What does not agree between the history that a run stored and what its events tell, leg by leg. */
export function entryFaults({ run, entries }: RunRecords, legs: readonly Leg[]): readonly string[] {
  if (run.conversationId === undefined) return entries.length > 0 ? ['it has stray entries'] : []
  const faults: string[] = []
  let left = entries
  for (const leg of legs) {
    const prefix = `${run.id}.${leg.events[0]?.seq ?? 0}.`
    const own = left.filter(({ id }) => id.startsWith(prefix))
    left = left.filter(({ id }) => !id.startsWith(prefix))
    const stored = own.flatMap((entry) => (entry.kind === 'message' ? [entry.message] : []))
    const used = usageIn(leg.events)
    const told = withLate(withOtherUsage(messagesIn(leg), used), leg)
    const same = stored.slice(0, told.length)
    if (textOf(same) !== textOf(told)) {
      faults.push(`its entries are ${textOf(same)}, and its events tell ${textOf(told)}`)
    }
    if (stored.length > told.length + 1) faults.push('its history has more than its events tell')
    faults.push(...extraFaults(stored.slice(told.length)))
  }
  return [...faults, ...left.map(({ id }) => `its entry ${id} is of no leg`)]
}

/** Only results of calls that will never have one may be added to what the events tell. */
function extraFaults(extra: readonly Message[]): readonly string[] {
  const isSettled = extra.every(
    ({ role, parts }) =>
      role === 'tool' && parts.every((part) => part.type === 'tool-result' && part.isError),
  )
  return isSettled ? [] : [`its history has ${textOf(extra)}, which no event tells`]
}

function withLate(messages: readonly Message[], { late }: Leg): readonly Message[] {
  return late.reduce(
    (all, { result }) => all.map((message) => withResult(message, result) ?? message),
    messages,
  )
}

/** Messages as texts to compare: storages may order members, and a first answer gets an id of its own. */
function textOf(messages: readonly Message[]): string {
  return JSON.stringify(messages.map(({ id: _, ...message }) => message))
}
