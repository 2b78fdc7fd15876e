import type { Resumption } from '../approvals.ts'
import type { Approval, StoredRun } from '../storage/index.ts'
import type { RunReached } from './reached.ts'

/**
 * What a suspended run needs to go on: the approvals that it asked for last, and the answers.
 * @param approvals all approvals of the run
 * @param reached what the run has reached
 */
export function resumptionOf(
  { id: runId, nextSeq: seq }: StoredRun,
  approvals: readonly Approval[],
  { steps, kept }: RunReached,
): Resumption {
  // Those of earlier legs are settled: the run waits for no verdict on them.
  const asked = askedLast(approvals)
  return {
    runId,
    seq,
    steps,
    ...(kept ? { kept } : {}),
    approvals: asked.map(
      ({ id: approvalId, callId, tool: name, input, binding, expiresAt, isQuestion }) => ({
        approvalId,
        callId,
        name,
        input,
        binding,
        expiresAt,
        ...(isQuestion ? { isQuestion } : {}),
      }),
    ),
    verdicts: asked.flatMap(({ id: approvalId, answer }) => {
      if (!answer) return []
      return [{ approvalId, ...answer }]
    }),
  }
}

/** Of all approvals of a run, those that it asked for last. */
export function askedLast(approvals: readonly Approval[]): readonly Approval[] {
  const last = Math.max(...approvals.map(({ requestedAt }) => requestedAt))
  return approvals.filter(({ requestedAt }) => requestedAt === last)
}
