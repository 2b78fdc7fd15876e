import type { StoredRun } from '../../../src/agent/storage/index.ts'
import {
  Accumulator,
  addUsage,
  EventChecker,
  isEnding,
  type Message,
  type RunEvent,
  type Usage,
} from '../../../src/plugin/events/index.ts'

/** The events of a leg, up to its ending, with the answers that came late. */
export interface Leg {
  readonly events: readonly RunEvent[]
  readonly late: readonly Extract<RunEvent, { readonly type: 'tool-execution-late' }>[]
}

/** Splits the events of a run after each ending. */
export function legsOf(events: readonly RunEvent[]): readonly Leg[] {
  const legs: { events: RunEvent[]; late: Leg['late'][number][] }[] = []
  let isOver = true
  for (const event of events) {
    const last = legs.at(-1)
    if (event.type === 'tool-execution-late') last?.late.push(event)
    else if (isOver || !last) legs.push({ events: [event], late: [] })
    else last.events.push(event)
    if (event.type !== 'tool-execution-late') isOver = isEnding(event)
  }
  return legs
}

/** The messages that the events of a leg make. */
export function messagesIn({ events }: Leg): readonly Message[] {
  const accumulator = new Accumulator()
  for (const event of events) accumulator.add(event)
  return accumulator.messages().filter(({ parts }) => parts.length > 0)
}

/** What breaks the order of events in a leg. @param run the run, if it is the last leg */
export function legFaults(leg: Leg, run: StoredRun | undefined): readonly string[] {
  const { events } = leg
  const first = events[0]?.seq ?? 0
  const faults: string[] = []
  const checker = new EventChecker('run')
  for (const event of events) {
    try {
      checker.check(event)
    } catch (error) {
      faults.push(`event ${event.seq}: ${String(error)}`)
    }
  }
  const last = events.at(-1)
  if (!last || !isEnding(last)) faults.push(`its leg from ${first} on has no ending`)
  if (run && run.legSeq !== first) faults.push(`its leg begins at ${run.legSeq}, not ${first}`)
  return [...faults, ...callFaults(leg), ...usageFaults(leg)]
}

/** Each call that began has one end, after its start, and no call ends twice. */
function callFaults({ events }: Leg): readonly string[] {
  const open = new Set<string>()
  const ended = new Set<string>()
  const faults: string[] = []
  for (const event of events) {
    if (event.type === 'step-start') ended.clear()
    if (event.type === 'tool-execution-start') open.add(event.callId)
    if (event.type !== 'tool-execution-end') continue
    if (ended.has(event.callId)) faults.push(`call ${event.callId} ends twice`)
    ended.add(event.callId)
    open.delete(event.callId)
  }
  return [...faults, ...[...open].map((callId) => `call ${callId} began and has no end`)]
}

/** A leg says that it used what its requests used. */
function usageFaults({ events }: Leg): readonly string[] {
  const last = events.at(-1)
  if (last?.type !== 'finish') return []
  const used = events.reduce((sum: Usage, event) => {
    const isRequest = event.type === 'step-finish' || event.type === 'model-failed'
    return isRequest ? addUsage(sum, event.usage ?? {}) : sum
  }, {})
  const [told, counted] = [last.usage, used].map((usage) => JSON.stringify(usage))
  return told === counted ? [] : [`its leg tells ${told}, and used ${counted}`]
}
