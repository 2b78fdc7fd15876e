import { HostError, isEnding, type RunEvent } from '@braidwork/plugin'
import type { PendingApproval, Resumption, Suspension } from '../approvals.ts'
import type { EndedChild, LeftChild } from '../children/index.ts'
import type { Interruption } from '../interruption.ts'
import { terminationOf } from '../run-endings.ts'
import type { Storage, StoredRun } from '../storage/index.ts'
import { messagesOf } from './ending.ts'
import { compactedIn, interruptionOf, usageIn } from './interruptions.ts'
import { legOf } from './leg-of.ts'
import { reachedBy } from './reached.ts'

/**
 * A child run as its parent finds it that goes on after its process ended.
 * @param answered the answers with which the present leg began, if the child had waited for them
 */
export async function leftChild(
  run: StoredRun,
  storage: Storage,
  answered?: Resumption,
): Promise<LeftChild> {
  const leg = await legOf(run, storage)
  const left = { runId: run.id, usage: usageIn(leg), messages: messagesOf(leg) }
  if (run.status === 'active') {
    const interruption = await interruptionOf(run, leg, storage)
    return { ...left, state: 'interrupted', interruption: withAnswers(interruption, answered, run) }
  }
  if (run.status === 'suspended') {
    const { compactions = [] } = compactedIn(leg)
    const compaction = compactions.at(-1)
    const suspension = await suspensionOf(run, leg, storage)
    return { ...left, state: 'waiting', suspension, ...(compaction ? { compaction } : {}) }
  }
  return { ...left, state: 'ended', end: endOf(run, leg) }
}

/** The approvals of a child are not stored: its parent has the answers with which a further leg begins. */
function withAnswers(
  interruption: Interruption,
  resumption: Resumption | undefined,
  { legSeq }: StoredRun,
): Interruption {
  if (!resumption || legSeq === 0 || interruption.interrupted.at !== 'start') return interruption
  return { ...interruption, interrupted: { at: 'approvals', resumption } }
}

/** What a child waits for, as its events tell. */
async function suspensionOf(
  run: StoredRun,
  leg: readonly RunEvent[],
  storage: Storage,
): Promise<Suspension> {
  const { steps, kept } = await reachedBy(run, storage)
  const state = leg.findLast((event) => event.type === 'run-state')
  const bindings = state?.bindings ?? {}
  const approvals = leg.flatMap((event): PendingApproval[] => {
    if (event.type !== 'approval-required') return []
    const { approvalId, callId, name, input, hooks, isQuestion, expiresAt = '' } = event
    // An approval without a binding covers no call, so a call that it was for asks again.
    const binding = bindings[approvalId] ?? ''
    const pending = { approvalId, callId, name, input, binding, expiresAt: Date.parse(expiresAt) }
    return [{ ...pending, ...(hooks ? { hooks } : {}), ...(isQuestion ? { isQuestion } : {}) }]
  })
  return { runId: run.id, seq: run.nextSeq, steps, approvals, ...(kept ? { kept } : {}) }
}

/** How a child ended, as its events tell. */
function endOf(
  { status: stored }: StoredRun,
  leg: readonly RunEvent[],
): Omit<EndedChild, 'messages'> {
  const ending = leg.findLast(isEnding)
  const status = stored === 'done' || stored === 'aborted' ? stored : 'failed'
  const termination = ending?.type === 'finish' ? ending.termination : undefined
  const error = errorIn(ending)
  const end = { status, finishReason: 'other', ...(termination ? { termination } : {}) } as const
  return { status, termination: terminationOf(end), ...(error ? { error } : {}) }
}

function errorIn(ending: RunEvent | undefined): HostError | undefined {
  if (ending?.type === 'abort') return new HostError('ABORTED', ending.reason)
  return ending?.type === 'error'
    ? new HostError(ending.error.code, ending.error.message)
    : undefined
}
