import { hostCalls, retryOf } from '@braidwork/core/internal'
import { addUsage, type Message, type RunEvent, type Usage } from '@braidwork/plugin'
import { hostMessage } from '../host-message.ts'
import type { InterruptedAt, Interruption, LeftCalls, StepPlace } from '../interruption.ts'
import type { Storage, StoredRun } from '../storage/index.ts'
import { eventsOfEarlierLegs } from './earlier-legs.ts'
import { messagesOf } from './ending.ts'
import { begunCalls } from './left-calls.ts'
import { compactionsIn } from './leg-markers.ts'
import { keptIn, reachedBy } from './reached.ts'
import { resumptionOf } from './resumption.ts'

/**
 * Finds where an active run was interrupted whose process has gone.
 * @param leg the stored events of its present leg
 */
export async function interruptionOf(
  run: StoredRun,
  leg: readonly RunEvent[],
  storage: Storage,
): Promise<Interruption> {
  const started = leg.findLastIndex(({ type }) => type === 'step-start')
  const finished = leg.findLastIndex(({ type }) => type === 'step-finish')
  const isCut = started > finished
  const { steps } = await reachedBy(run, storage)
  const place = leg[Math.max(started, finished)]?.seq ?? run.legSeq
  const state = await stateBefore(place, run, leg, storage)
  return {
    runId: run.id,
    seq: run.nextSeq,
    at: leg.at(-1)?.at ?? 0,
    steps,
    ...keptIn(state),
    usage: usageIn(leg),
    uncounted: usageIn(leg.filter(({ seq }) => seq > (state?.seq ?? -1))),
    messages: messagesOfLeg(leg, isCut),
    ...compactedIn(leg),
    hasBegun: leg.length > 0,
    resumptions: leg.filter(({ type }) => type === 'run-resumed').length,
    interrupted: isCut ? { at: 'answer' } : await placeOf(run, leg, storage),
    calls: leftCalls(isCut ? [] : leg.slice(finished + 1), leg),
  }
}

async function placeOf(
  run: StoredRun,
  leg: readonly RunEvent[],
  { approvals }: Storage,
): Promise<InterruptedAt> {
  const answer = leg.findLast((event) => event.type === 'step-finish')
  if (answer) {
    const { messages, finishReason, usage } = answer
    return { at: 'calls', messages, finishReason, usage }
  }
  const all = run.legSeq === 0 ? [] : await approvals.list(run.owner, run.id)
  return all.length === 0
    ? { at: 'start' }
    : { at: 'approvals', resumption: resumptionOf(run, all, { steps: 0 }) }
}

/** The last state that a run told before an event: of the present leg, or of an earlier one. */
async function stateBefore(
  seq: number,
  run: StoredRun,
  leg: readonly RunEvent[],
  storage: Storage,
): Promise<RunEvent | undefined> {
  const isState = (event: RunEvent) => event.type === 'run-state' && event.seq < seq
  const last = await storage.runs.lastEvent(run.owner, run.id, 'run-state')
  if (!last || isState(last)) return last
  const own = leg.findLast(isState)
  if (own) return own
  for await (const event of eventsOfEarlierLegs(run, storage)) if (isState(event)) return event
  return undefined
}

/** The usage of the complete answers, of requests whose output was discarded, and of child runs. */
export function usageIn(leg: readonly RunEvent[]): Usage {
  const used = leg.map(usageOf)
  return used.reduce((sum: Usage, usage = {}) => addUsage(sum, usage), {})
}

/** What an event tells that a run used. */
export function usageOf(event: RunEvent): Usage | undefined {
  const { type } = event
  const isUsing = type === 'step-finish' || type === 'model-failed' || type === 'tool-execution-end'
  return isUsing || type === 'compaction-end' ? event.usage : undefined
}

/**
 * The messages of a leg, without an answer that was cut off, and without the results of the last step. What the user
 * said at the start of a step whose answer was cut off is part of them.
 */
function messagesOfLeg(leg: readonly RunEvent[], isCut: boolean): readonly Message[] {
  const steps = stepsIn(leg)
  const last = (steps.at(-1) ?? []).flatMap((event) => {
    if (event.type === 'steering') return [event.message]
    return event.type === 'step-finish' && !isCut ? event.messages : []
  })
  return [...steps.slice(0, -1).flatMap(messagesOfStep), ...last]
}

/** What a leg needs to compact its steps as if it had not been interrupted. */
export function compactedIn(
  leg: readonly RunEvent[],
): Pick<Interruption, 'starts' | 'compactions' | 'counted'> {
  const starts = startsIn(leg)
  const compactions = compactionsIn(leg, (step) => starts.find((one) => one.step === step)?.at ?? 0)
  const last = leg.findLast(
    (event) => event.type === 'step-finish' || (event.type === 'compaction-end' && event.done),
  )
  return {
    starts,
    ...(compactions.length > 0 ? { compactions } : {}),
    ...(last?.type === 'step-finish' ? { counted: last.usage } : {}),
  }
}

function startsIn(leg: readonly RunEvent[]): readonly StepPlace[] {
  let at = 0
  return stepsIn(leg).flatMap((events): readonly StepPlace[] => {
    const [first] = events
    const begins = first?.type === 'step-start' ? [{ step: first.step, at }] : []
    at += messagesOfStep(events).length
    return begins
  })
}

/** Splits the events of a leg before each step. */
function stepsIn(leg: readonly RunEvent[]): readonly (readonly RunEvent[])[] {
  const steps: RunEvent[][] = [[]]
  for (const event of leg) {
    if (event.type === 'step-start') steps.push([])
    steps.at(-1)?.push(event)
  }
  return steps
}

/** The messages of a step after which another one began. No event tells that the host asked the model again. */
function messagesOfStep(events: readonly RunEvent[]): readonly Message[] {
  const messages = messagesOf(events)
  const retry = hostCalls(messages).length === 0 ? retryOf(messages) : undefined
  return retry ? [...messages, hostMessage(retry.message)] : messages
}

/** @param events the events since the last answer */
function leftCalls(events: readonly RunEvent[], leg: readonly RunEvent[]): LeftCalls {
  const begun = [...begunCalls(events)].map(([callId, { safety }]) => [callId, safety] as const)
  const ends = events.filter((event) => event.type === 'tool-execution-end')
  const answered = events.filter((event) => event.type === 'approval-resolved')
  return {
    begun: new Map(begun),
    results: new Map(ends.map(({ callId, result }) => [callId, result])),
    resolved: new Set(answered.map(({ approvalId }) => approvalId)),
    tools: leg.findLast((event) => event.type === 'tool-inventory')?.tools ?? [],
  }
}
