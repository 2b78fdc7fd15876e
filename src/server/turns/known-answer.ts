import type { Storage, StoredRun } from '@braidwork/agent'
import { orderOf } from '../run-order.ts'
import type { AnsweredPlan } from './plan.ts'
import type { ToldAnswers } from './told-answers.ts'

interface Asked {
  readonly owner: string
  /** The client's id of its run, in a protocol in which a new id asks anew. */
  readonly clientRunId: string | undefined
  readonly plan: AnsweredPlan
}

/**
 * The run whose answer a request gets once more, since its last message has one. Undefined if the client wants another
 * answer: it asks in a new run of its own, and has had the answer, or there is none that ended well.
 */
export async function knownAnswer(
  { runs }: Pick<Storage, 'runs'>,
  told: ToldAnswers,
  { owner, clientRunId, plan }: Asked,
): Promise<StoredRun | undefined> {
  const run = plan.runId === undefined ? undefined : await runs.load(owner, plan.runId)
  if (!run || clientRunId === undefined) return run
  if (run.status === 'active' || run.status === 'suspended') return run
  if (orderOf(run).clientRunId === clientRunId) return run
  return plan.isPassed || run.status !== 'done' || told.has(run) ? undefined : run
}
