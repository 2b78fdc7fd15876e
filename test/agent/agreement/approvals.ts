import type { RunEvent } from '../../../src/plugin/events/index.ts'
import type { Leg } from './legs.ts'
import type { RunRecords } from './runs.ts'

type Of<T extends RunEvent['type']> = Extract<RunEvent, { readonly type: T }>

/** What does not agree between the approvals that are stored and those that the events tell. */
export function approvalFaults(own: RunRecords, legs: readonly Leg[]): readonly string[] {
  const { events, approvals } = own
  const asked = all(events, 'approval-required')
  const answered = all(events, 'approval-resolved')
  const faults: string[] = []
  for (const { approvalId, callId, name } of asked) {
    const found = approvals.find(({ id }) => id === approvalId)
    if (!found) faults.push(`approval ${approvalId} is told and not stored`)
    else if (found.callId !== callId || found.tool !== name) faults.push(`${approvalId} differs`)
  }
  for (const { id } of approvals) {
    const times = asked.filter(({ approvalId }) => approvalId === id).length
    if (times !== 1) faults.push(`approval ${id} is stored, and told ${times} times`)
  }
  for (const { approvalId, approved } of answered) {
    const found = approvals.find(({ id }) => id === approvalId)
    if (approved && !found?.answer?.approved) faults.push(`${approvalId} is told as approved`)
    const times = answered.filter((one) => one.approvalId === approvalId).length
    if (times !== 1) faults.push(`approval ${approvalId} is resolved ${times} times`)
  }
  return [...faults, ...startFaults(own), ...waitFaults(own, legs)]
}

/** A call whose approval was asked for begins only after it was given. */
function startFaults({ events }: RunRecords): readonly string[] {
  const waiting = new Set<string>()
  const faults: string[] = []
  for (const event of events) {
    if (event.type === 'approval-required') waiting.add(event.callId)
    if (event.type === 'approval-resolved' && event.approved) waiting.delete(event.callId)
    if (event.type === 'tool-execution-start' && waiting.has(event.callId)) {
      faults.push(`call ${event.callId} began without its approval`)
    }
  }
  return faults
}

/** A leg that ends as suspended waits for what it asked for; every later leg has told the answers. */
function waitFaults({ events, run }: RunRecords, legs: readonly Leg[]): readonly string[] {
  const resolved = new Set(all(events, 'approval-resolved').map(({ approvalId }) => approvalId))
  return legs.flatMap((leg, index) => {
    const last = leg.events.at(-1)
    const own = all(leg.events, 'approval-required')
    const waits = last?.type === 'finish' && last.termination?.reason === 'suspended'
    const isStopped = last?.type === 'abort'
    const faults = own.length > 0 && !waits && !isStopped ? ['it asked, and does not wait'] : []
    if (waits && own.length === 0 && run.status === 'suspended') faults.push('it waits for nothing')
    const isLast = index === legs.length - 1
    const open = own.filter(({ approvalId }) => !resolved.has(approvalId))
    const isCut = run.status !== 'done' && index >= legs.length - 2
    if (!isLast && !isCut && open.length > 0) faults.push('it went on without its answers')
    if (isLast && open.length !== own.length) faults.push('it waits for what was answered')
    return faults
  })
}

function all<T extends RunEvent['type']>(events: readonly RunEvent[], type: T): readonly Of<T>[] {
  return events.filter((event): event is Of<T> => event.type === type)
}
